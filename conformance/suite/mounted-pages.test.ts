import { afterAll, beforeAll } from "vitest";

import { copyExample } from "./example-copy.ts";
import { mountPages } from "./mount-pages.ts";
import { pageRows } from "./rows/pages.ts";
import { builtHost, drivenHost, host, hostFolder } from "./world.ts";

const buildingMs = 300_000;

pageRows(host.authFiles === undefined ? drivenHost : hostOfCopy());

function hostOfCopy(): typeof drivenHost {
  const copy = copyExample(hostFolder, ".with-pages", host.inCopies);
  mountPages(copy);
  beforeAll(copy.build, buildingMs);
  afterAll(copy.remove);
  return builtHost({ folder: copy.folder, basePath: "" });
}
