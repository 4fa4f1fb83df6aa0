import "./base.css";
import { render } from "preact";
import { EditorPage } from "./editor/page";
import { Home } from "./home/home";
import { Nowhere, RulesPage } from "./home/pages";
import { TablePage } from "./table/page";
import "./large.css";
import "./print.css";

function App() {
  const [, kind, id] = location.pathname.split("/");
  if (kind === "g" && id) return <TablePage match={id} />;
  if (kind === "edit" && id) return <EditorPage game={id} />;
  if (kind === "rules" && id) return <RulesPage game={id} />;
  if (kind) return <Nowhere />;
  return <Home />;
}

render(<App />, document.getElementById("app")!);
