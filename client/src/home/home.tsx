// The front page.
import { useEffect } from "preact/hooks";
import { post } from "../net";
import { Devices } from "../people/devices";
import { watchTurns } from "../people/turns";
import { SettingsForm } from "../settings/form";
import { Sheet } from "../sheets/sheet";
import { sheet } from "../table/state";
import { Brand } from "../words/pieces";
import { Cards } from "./cards";
import { load, me, open, openLinked, unread } from "./choice";
import { Panel } from "./panel";
import { Others } from "./people";
import { Running } from "./running";
import "./home.css";

export function Home() {
  useEffect(() => {
    void load();
    void openLinked();
    return watchTurns("");
  }, []);
  return (
    <div class="home">
      <header class="hometop">
        <Brand />
        <nav>
          <label class="quiet file">
            Open a record or position
            <input
              type="file"
              class="sr"
              accept=".txt,.yaml,.yml,.json,.ladoga"
              onChange={(e) => {
                void open(e.currentTarget.files?.[0]);
                e.currentTarget.value = "";
              }}
            />
          </label>
          <button type="button" class="quiet" onClick={() => (sheet.value = "settings")}>
            Settings
          </button>
        </nav>
      </header>
      <main>
        <div>
          <h1>Six campaigns, one table</h1>
          <p class="lead">Every rule enforced, every shift named by its case, an opponent at any hour.</p>
          {unread.value && (
            <p class="bad notice" role="alert">
              {unread.value}
            </p>
          )}
          <Running />
          <Cards />
          <Others />
        </div>
        <Panel />
      </main>
      {sheet.value === "settings" && (
        <Sheet title="Settings">
          <SettingsForm />
          <label>
            Your name at the table
            <input value={me.value} maxLength={40} onChange={(e) => void post("/api/name", { name: (me.value = e.currentTarget.value) })} />
          </label>
          <Devices />
        </Sheet>
      )}
    </div>
  );
}
