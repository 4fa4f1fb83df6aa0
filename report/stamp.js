// Writes over the built file what it was built from, so that a test can tell whether they still belong together.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const built = new URL("../src/ladoga/lab/report.js", import.meta.url);
const source = readFileSync(new URL("src/report.js", import.meta.url));
const stamp = createHash("sha256").update(source).digest("hex");
writeFileSync(built, `// built from report/src/report.js ${stamp}\n${readFileSync(built, "utf8")}`);
