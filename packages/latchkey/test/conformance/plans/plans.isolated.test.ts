import { createCertificate } from "@latchkey/provider";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, test } from "vitest";

import { startPlanWorld } from "./plan-world.ts";
import { plans } from "./plans.ts";
import { playModule } from "./play-module.ts";

const certificate = await createCertificate();
// For the whole thread, therefore isolated.
setDefaultCACertificates([...getCACertificates("default"), certificate.cert]);

describe.each(plans)("$name", async (plan) => {
  const world = await startPlanWorld(plan, certificate);

  test.each(plan.modules)("$name", async (module) => {
    expect(await playModule(world, module)).toEqual([]);
  });
});
