import type { Part } from "../host/part.ts";
import { createBearerScheme } from "./bearer-scheme.ts";
import { apiForms } from "./api-forms.ts";
import type { ApiOptions } from "./settings.ts";
import { withoutTrailingSlashes } from "../http/trailing-slash.ts";

export type { ApiOptions } from "./settings.ts";
export { SessionRequired, TokenRefused } from "./token-refused.ts";

/**
 * Lets clients call the app with access tokens, beside browsers with a session: as the option `api`
 * of `createAuth`. A request with `Authorization: Bearer` counts by this header alone.
 *
 * Never throws: `auth.ready()` or the first request reports what is wrong with the options.
 */
export function api(options: ApiOptions): Part<"api"> {
  return {
    name: "api",
    written: { place: "api", call: "api()", options, forms: apiForms(options) },
    apiPaths: () => pathsOf(options),
    hasSessions: () => options.sessions !== false,
    open: (engine) => ({ schemes: [createBearerScheme(options, engine)] }),
  };
}

/** `/v1/` is the path `/v1` and everything below it. */
function pathsOf({ paths = [], sessions }: ApiOptions): readonly string[] {
  return sessions === false ? ["/"] : paths.map(withoutTrailingSlashes);
}
