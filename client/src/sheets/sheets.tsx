// Which sheet lies on the table.
import type { ComponentChildren } from "preact";
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

interface Laid {
  title: string;
  wide?: boolean;
  onClose?: () => void;
  children: ComponentChildren;
}

export function Sheets() {
  const laid = onTop(sheet.value);
  return laid && <Sheet {...laid} />;
}

function onTop(name: string | null): Laid | null {
  const w = welcome.value;
  switch (name) {
    case "rules":
      return {
        title: `Rules: ${w ? shortTitle(w.game.title).name : ""}`,
        wide: true,
        onClose: () => {
          caseShown.value = null;
        },
        children: rules.value && <RulesList book={rules.value} open={caseShown.value} />,
      };
    case "charts":
      return { title: "Charts", wide: true, children: <Charts /> };
    case "oob":
      return { title: "Order of battle", wide: true, children: <OrderOfBattle /> };
    case "corrections":
      return { title: "Corrections of this game", children: <Corrections /> };
    case "boxes":
      return { title: "Off-map units", wide: true, children: <Boxes /> };
    case "ledger":
      return { title: shown.value?.outcome ? "How it ended" : "Standing now", children: <Standing /> };
    case "talk":
      return { title: "Players and chat", children: <Talk /> };
    case "dice":
      return { title: "Dice", children: <Dice /> };
    case "keep":
      return { title: "Save, share, print", children: w && <Keep /> };
    case "settings":
      return { title: "Settings", children: <Settings /> };
    case "keys":
      return { title: "Keys and orders", wide: true, children: <Keys /> };
    case "end":
      return { title: "The game is over", wide: true, children: <End /> };
    default:
      return null;
  }
}

function Corrections() {
  return (
    <>
      <p>This match is played with an owner's corrections to our data. They are kept in its record.</p>
      <ul class="changes">
        {welcome.value?.game.changes.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

function Settings() {
  return (
    <>
      <SettingsForm />
      <Devices />
    </>
  );
}

function Standing() {
  if (!shown.value) return null;
  return (
    <Ledger outcome={shown.value.outcome ?? shown.value.standing}>
      <Curve />
    </Ledger>
  );
}
