import type { Config } from "../../../config/config.ts";
import { inWordsOf } from "../../../config/connection-ids.ts";
import { defaultID } from "../../../config/constants.ts";
import { callbackPath } from "../../../config/routes.ts";
import { describeRegistration, registrationsOf } from "../../../oidc/registrations.ts";
import { UsageError } from "../../command.ts";
import { type Finding, note } from "../finding.ts";
import { runChecks } from "../run-checks.ts";

/** How many providers are asked without the name of one. */
const askedAtMost = 20;

/** A client, and the settings as they would be if it were the only one. */
export interface AskedClient {
  readonly id: string;
  readonly config: Config;
}

/**
 * Returns the clients whose providers are asked.
 *
 * @param connection - of which one; that of the flat settings and further ones by default
 * @throws {UsageError} for an unknown one
 */
export function clientsToAsk(config: Config, connection?: string): readonly AskedClient[] {
  const all = Object.values(config.connections);
  const own = all.filter(({ id, uses }) => uses === id);
  const named = all.find(({ id }) => id === connection);
  if (connection !== undefined && named === undefined) {
    const ids = all.map(({ id }) => id).join(", ");
    throw new UsageError(`There is no connection ${JSON.stringify(connection)}, but ${ids}.`);
  }
  const chosen = named === undefined ? own.slice(0, askedAtMost) : [named];
  return chosen.map((each) => {
    const client = each.callback === "shared" ? defaultID : each.uses;
    const routes = { ...config.routes, callback: callbackPath(config.routes, client) };
    return { id: each.id, config: { ...config, ...each, routes } };
  });
}

/** The same findings, in the words of the connection. */
export function inConnection(id: string, findings: readonly Finding[]): readonly Finding[] {
  if (id === defaultID) return findings;
  return findings.map(({ what, remedy, ...finding }) => ({
    ...finding,
    connection: id,
    what: inWordsOf(id, what),
    remedy: inWordsOf(id, remedy),
  }));
}

/** The addresses to register for one client, whether or not the provider knows them. */
export function showRegistration(config: Config, id: string): readonly Finding[] {
  const { uses } = config.connections[id] ?? { uses: id };
  const found = registrationsOf(config).filter((each) => each.id === uses);
  const judge = () => found.map((each) => note(describeRegistration(each)));
  return inConnection(id, runChecks([{ id: "D21", title: "addresses", judge }], null, new Set()));
}
