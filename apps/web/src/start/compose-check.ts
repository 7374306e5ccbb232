import {
  type Auth,
  ConfigError,
  type Environment,
  faultOfRule,
  type HeaderList,
  type Part,
} from "latchkey";
import { api } from "latchkey/api";

import { createCheck } from "../check/create-check.ts";
import type { FetchHandler } from "../serving/http-server.ts";
import type { Logger } from "./log.ts";
import type { AppSettings } from "./settings/settings.ts";
import { faultOf } from "./settings/variables.ts";

interface CheckParts {
  readonly auth: Auth;
  readonly headers: HeaderList;
  readonly logger: Logger;
}

/**
 * Variables of the engine for a check, unless the environment sets them. Sessions are in the store,
 * so one small cookie is all that a proxy passes on; and it seldom changes, since each file of a
 * page of another application is one question.
 */
export function sessionsForCheck({ check }: AppSettings): Environment {
  return check === undefined
    ? {}
    : { LATCHKEY_SESSION_STATEFUL: "true", LATCHKEY_SESSION_RENEW_AFTER: "60" };
}

/**
 * The option that lets callers pass with access tokens; `undefined` if none may. Tokens bound to a
 * key are refused: nginx asks twice about a refused request, and a proof is good once.
 */
export function callersForCheck({ check }: AppSettings): Part<"api"> | undefined {
  const audience = check?.audiences ?? [];
  return audience.length === 0 ? undefined : api({ audience, dpop: false });
}

/** @throws {ConfigError} for rules with requirements that the engine does not know */
export async function composeCheck(
  { check }: AppSettings,
  { auth, headers, logger }: CheckParts,
): Promise<FetchHandler | null> {
  if (check === undefined) return null;
  await checkRequirements(auth, check);
  const warn = (message: string) => logger.warn({ event: "warning", message });
  return createCheck({ ...check, auth, headers, warn });
}

async function checkRequirements(
  auth: Auth,
  { hosts }: NonNullable<AppSettings["check"]>,
): Promise<void> {
  const connections = Object.keys(auth.config.connections);
  const faults = hosts.flatMap(({ host, rules }) =>
    rules.flatMap(({ path, access }) => {
      const fault = typeof access === "string" ? null : faultOfRule(access, connections);
      return fault === null
        ? []
        : [faultOf("LATCHKEY_CHECK_RULES", `["${host}"]["${path}"] ${fault}`)];
    }),
  );
  if (faults.length === 0) return;
  await auth.close();
  throw new ConfigError(faults);
}
