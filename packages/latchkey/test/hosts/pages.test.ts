import express from "express";
import type { Auth } from "latchkey";

import { pageRows, setupRow } from "../../../../conformance/suite/rows/pages.ts";
import { createApp } from "./apps/express.ts";
import type { Surroundings } from "./apps/surroundings.ts";
import { drivenHost } from "./world/driven-host.ts";
import { hosts } from "./world/hosts.ts";

for (const host of hosts) {
  pageRows(drivenHost(host));
  setupRow(drivenHost(host));
}

const mounted = {
  name: "Express below a path",
  app: (auth: Auth, around: Surroundings) => express().use("/shop", createApp(auth, around)),
};
pageRows(drivenHost(mounted, "/shop"));
