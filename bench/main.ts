/** `npm run bench`: installs what the benchmark needs, builds what changed, then measures. */
import path from "node:path";
import { parseArgs } from "node:util";
import { buildWhatChanged } from "../tools/start/build.ts";
import { installMissing } from "./install.ts";

const root = path.join(import.meta.dirname, "..");

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    profile: { type: "string" },
    "as-built": { type: "boolean", default: false },
  },
});

try {
  installMissing();
  if (!values["as-built"]) buildWhatChanged(root);
  const { run } = await import("./run.ts");
  await run({
    quick: values.quick,
    only: values.only?.split(",").map((name) => name.trim()),
    profileFolder: values.profile,
    page: path.join(root, "docs/performance.md"),
  });
  process.exit(process.exitCode ?? 0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
