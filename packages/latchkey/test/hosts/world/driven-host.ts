import { pages } from "@latchkey/pages";
import { optionsFromEnvironment } from "latchkey";

import { apiOptions } from "../../../../../conformance/suite/api-example.ts";
import { pagesOptions } from "../../../../../conformance/suite/pages-example.ts";
import type { DrivenHost } from "../../../../../conformance/suite/rows/world.ts";
import { longTests } from "../../long-tests.ts";
import { startHostWorld } from "./host-world.ts";
import type { Host } from "./hosts.ts";

/**
 * A host in this process for the rows of every host: in production, and set by variables.
 *
 * @param basePath - path of the base URL, below which the app is mounted
 */
export function drivenHost({ name, app }: Pick<Host, "name" | "app">, basePath = ""): DrivenHost {
  return {
    title: name,
    hasPages: false,
    hasClientRouter: false,
    hasAPI: true,
    hasRedis: false,
    parallelRequests: longTests ? 200 : 40,
    start({ environment = {}, provider = {}, customers = [] } = {}) {
      const { options } = optionsFromEnvironment({ NODE_ENV: "production", ...environment });
      return startHostWorld({
        app,
        provider,
        customers,
        basePath,
        options: {
          ...options,
          ...apiOptions(environment),
          ...pagesOptions(environment, pages),
        },
      });
    },
  };
}
