// Which sheet lies on the table.
import { Devices } from "../people/devices";
import { Talk } from "../people/talk";
import { SettingsForm } from "../settings/form";
import { caseShown, rules, sheet, shown, welcome } from "../table/state";
import { shortTitle } from "../words/text";
import { Charts } from "./charts";
import { Curve } from "./curve";
import { Dice } from "./dice";
import { Boxes, OrderOfBattle } from "./forces";
import { Keep } from "./keep";
import { Keys } from "./keys";
import { End, Ledger } from "./ledger";
import { RulesList } from "./rules";
import { Sheet } from "./sheet";

export function Sheets() {
  const w = welcome.value;
  const close = (): void => {
    caseShown.value = null;
  };
  switch (sheet.value) {
    case "rules":
      return (
        <Sheet title={`Rules: ${w ? shortTitle(w.game.title).name : ""}`} wide onClose={close}>
          {rules.value && <RulesList book={rules.value} open={caseShown.value} />}
        </Sheet>
      );
    case "charts":
      return (
        <Sheet title="Charts" wide>
          <Charts />
        </Sheet>
      );
    case "oob":
      return (
        <Sheet title="Order of battle" wide>
          <OrderOfBattle />
        </Sheet>
      );
    case "corrections":
      return (
        <Sheet title="Corrections of this game">
          <p>This match is played with an owner's corrections to our data. They are kept in its record.</p>
          <ul class="changes">
            {w?.game.changes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Sheet>
      );
    case "boxes":
      return (
        <Sheet title="Off-map units" wide>
          <Boxes />
        </Sheet>
      );
    case "ledger":
      return (
        <Sheet title={shown.value?.outcome ? "How it ended" : "Standing now"}>
          {shown.value && (
            <Ledger outcome={shown.value.outcome ?? shown.value.standing}>
              <Curve />
            </Ledger>
          )}
        </Sheet>
      );
    case "talk":
      return (
        <Sheet title="Players and chat">
          <Talk />
        </Sheet>
      );
    case "dice":
      return (
        <Sheet title="Dice">
          <Dice />
        </Sheet>
      );
    case "keep":
      return <Sheet title="Save, share, print">{w && <Keep />}</Sheet>;
    case "settings":
      return (
        <Sheet title="Settings">
          <SettingsForm />
          <Devices />
        </Sheet>
      );
    case "keys":
      return (
        <Sheet title="Keys and orders" wide>
          <Keys />
        </Sheet>
      );
    case "end":
      return (
        <Sheet title="The game is over" wide>
          <End />
        </Sheet>
      );
    default:
      return null;
  }
}
