import { afterAll, beforeAll } from "vitest";

import { runStep } from "../../tools/check/step.ts";
import { copyExample } from "./example-copy.ts";
import { builtBasePathRows } from "./rows/base-path.ts";
import { builtHost, host, hostFolder } from "./world.ts";

const { folder, remove } = copyExample(hostFolder, ".below-shop", host.belowShop);
const buildingMs = 300_000;

beforeAll(async () => {
  const command = ["npm", "run", "build"] as const;
  // The test runner has another one.
  const env = { NODE_ENV: "production" };
  const { exitCode, output } = await runStep({ name: "build", command, cwd: folder, env });
  if (exitCode !== 0) throw new Error(output);
}, buildingMs);
afterAll(remove);

builtBasePathRows(builtHost({ folder, basePath: "/shop" }));
