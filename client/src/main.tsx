import { render } from "preact";
import { EditorPage } from "./editorpage";
import { Home, Nowhere, RulesPage } from "./home";
import "./styles.css";
import { TablePage } from "./table";

function App() {
  const [, kind, id] = location.pathname.split("/");
  if (kind === "g" && id) return <TablePage match={id} />;
  if (kind === "edit" && id) return <EditorPage game={id} />;
  if (kind === "rules" && id) return <RulesPage game={id} />;
  if (kind) return <Nowhere />;
  return <Home />;
}

render(<App />, document.getElementById("app")!);
