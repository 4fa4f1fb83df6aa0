// Pages with nothing but a text on them.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { get } from "../net";
import { ChartView } from "../sheets/charts";
import { RulesList } from "../sheets/rules";
import { caseShown, rules } from "../table/state";
import type { Rules } from "../wire";
import { Brand } from "../words/pieces";
import { problem } from "./choice";

/** A page with nothing but a text on it. */
function Single({ kind = "", children }: { kind?: string; children: ComponentChildren }) {
  return (
    <div class={`home ${kind}`}>
      <header class="hometop">
        <Brand />
      </header>
      <main class="single">
        <div>{children}</div>
      </main>
    </div>
  );
}

/** An address that leads nowhere. */
export function Nowhere({ why = "There is no such page." }: { why?: string }) {
  return (
    <Single>
      <h1>Not here</h1>
      <p class="lead">{why}</p>
      <a class="btn teal" href="/">
        Front page
      </a>
    </Single>
  );
}

export function RulesPage({ game: id }: { game: string }) {
  useEffect(() => {
    const goThere = (): void => {
      caseShown.value = location.hash.slice(1);
    };
    goThere();
    addEventListener("hashchange", goThere);
    get<Rules>(`/api/games/${id}/rules`).then(
      (r) => {
        rules.value = r;
        document.title = `${r.title}: rules · Ladoga`;
      },
      (e: Error) => {
        problem.value = e.message;
      },
    );
    return () => removeEventListener("hashchange", goThere);
  }, [id]);
  const book = rules.value;
  if (problem.value) return <Nowhere why={problem.value} />;
  return (
    <Single kind="rulespage">
      <h1>{book?.title ?? ""}</h1>
      <p class="lead">Every case of the rulebook in our own words, and the charts. The printed rulebook is the authority.</p>
      {book && (
        <>
          <h2 class="sr">Charts</h2>
          {book.charts.map((c) => (
            <ChartView key={c.id} chart={c} />
          ))}
          <h2 class="sr">Cases</h2>
          <RulesList book={book} open={caseShown.value} />
        </>
      )}
    </Single>
  );
}
