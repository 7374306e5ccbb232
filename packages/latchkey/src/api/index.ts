import type { Part } from "../host/part.ts";
import { createBearerScheme } from "./bearer-scheme.ts";
import { faultsOf } from "./settings-faults.ts";
import type { ApiOptions } from "./settings.ts";

export type { ProfileName } from "./profiles.ts";
export type { ApiOptions, IssuerOptions, TokenOptions } from "./settings.ts";
export { SessionRequired, type TokenError, TokenRefused } from "./token-refused.ts";

/**
 * Lets clients call the app with access tokens, beside browsers with a session: as the option `api`
 * of `createAuth`. A request with `Authorization: Bearer` counts by this header alone.
 *
 * Never throws: `auth.ready()` or the first request reports what is wrong with the options.
 */
export function api(options: ApiOptions): Part<"api"> {
  const faults = faultsOf(options);
  return {
    name: "api",
    faults,
    apiPaths: faults.length > 0 ? [] : pathsOf(options),
    hasSessions: faults.length > 0 || options.sessions !== false,
    open: (site) => ({ schemes: [createBearerScheme(options, site)] }),
  };
}

function pathsOf({ paths = [], sessions }: ApiOptions): readonly string[] {
  return sessions === false ? ["/"] : paths.map(withoutSlash);
}

/** `/v1/` is the path `/v1` and everything below it. */
function withoutSlash(path: string): string {
  return path.replace(/\/+$/, "");
}
