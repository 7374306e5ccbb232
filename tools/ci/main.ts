/** `.ci/run`: `npm test`, then the hosts of `conformance` that have changed; a last line with the sums. */
import { spawn } from "node:child_process";
import path from "node:path";

import { readTallyLine, sum, tallyLine, type Tally } from "../check/tally.ts";
import { onShutdown } from "../on-shutdown.mjs";

const root = path.join(import.meta.dirname, "../..");
/** So long hosts are started one after the other; the last one may take longer. */
const conformanceMinutes = 8;

/** Runs a script of ours, shows what it writes, and reads the sums of its last line. */
async function run(script: string, args: readonly string[] = []): Promise<Tally> {
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stopListening = onShutdown(() => {
    child.kill("SIGTERM");
    process.exit(130);
  });
  let lastLines = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    process.stdout.write(text);
    lastLines = (lastLines + text).slice(-1000);
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  stopListening();
  return readTallyLine(lastLines.trimEnd().split("\n").at(-1) ?? "", exitCode);
}

const tests = await run("tools/test.mjs");
const hosts = await run("tools/conformance.mjs", ["--changed", `--minutes=${conformanceMinutes}`]);
const total = sum([tests, hosts]);
console.log(tallyLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
