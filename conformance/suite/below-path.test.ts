import { afterAll, beforeAll } from "vitest";

import { copyExample } from "./example-copy.ts";
import { builtBasePathRows } from "./rows/base-path.ts";
import { builtHost, host, hostFolder } from "./world.ts";

const { build, folder, remove } = copyExample(hostFolder, ".below-shop", host.belowShop);
const buildingMs = 300_000;

beforeAll(build, buildingMs);
afterAll(remove);

builtBasePathRows(builtHost({ folder, basePath: "/shop" }));
