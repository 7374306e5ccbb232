import { optionsFromEnvironment } from "latchkey";

import type { DrivenHost } from "../../../../../conformance/suite/rows/world.ts";
import { startHostWorld } from "./host-world.ts";
import type { Host } from "./hosts.ts";

/** A host in this process as the rows that hold on every host drive it: in production, and set by variables. */
export function drivenHost({ name, app }: Host): DrivenHost {
  return {
    title: name,
    hasPages: false,
    hasClientRouter: false,
    hasRedis: false,
    start({ environment = {}, provider = {} } = {}) {
      const { options } = optionsFromEnvironment({ NODE_ENV: "production", ...environment });
      return startHostWorld({ app, provider, options });
    },
  };
}
