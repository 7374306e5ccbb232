import * as v from "valibot";

import { isJSONObject, type JSONObject } from "../crypto/json-object.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import { defaultID } from "./constants.ts";
import { hardenedClient } from "./preset.ts";
import { faultsByRules, type RuleContext } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";
import { connectionEntries, connectionSchema, type ResolvedSettings } from "./settings-schema.ts";
import { faultsOfIssue } from "./settings-faults.ts";
import { variableOf } from "./setting-definitions.ts";

type Output = v.InferOutput<typeof connectionSchema>;

/** The settings of one more connection, with every default in place. */
export interface ResolvedConnection extends Output {
  readonly id: string;
  /** The id of the connection whose client it has: its own, unless it uses another one. */
  readonly uses: string;
}

/** The settings of the app, as written and as checked. */
export interface AppSettings {
  readonly written: JSONObject;
  readonly checked: ResolvedSettings;
  /** The names of those with a fault. */
  readonly faulty: readonly string[];
}

interface ReadConnections {
  readonly connections: readonly ResolvedConnection[];
  readonly faults: readonly ConfigFault[];
}

/** Belongs to one connection alone, also if others use its client. */
const ofOneAlone = ["label", "domains", "otherEmails", "hosts", "hidden", "session", "callback"];

/** Reads the connections beside that of the flat settings. */
export function readConnections(app: AppSettings, context: RuleContext): ReadConnections {
  const { connections: given = {} } = app.written;
  if (!isJSONObject(given)) return { connections: [], faults: [noConnections] };
  const read = Object.entries(given).map(([id, written]) =>
    isJSONObject(written)
      ? readConnection({ id, written, given }, app, context)
      : { connections: [], faults: [noSettings(id)] },
  );
  return {
    connections: read.flatMap(({ connections }) => connections),
    faults: read.flatMap(({ faults }) => faults),
  };
}

interface WrittenConnection {
  readonly id: string;
  readonly written: JSONObject;
  /** All connections, as written. */
  readonly given: JSONObject;
}

function readConnection(
  { id, written, given }: WrittenConnection,
  app: AppSettings,
  context: RuleContext,
): ReadConnections {
  const { uses } = written;
  const own = isTextual(uses)
    ? clientOf(uses === defaultID ? app.written : (given[uses] ?? {}))
    : hardenedClient(app.checked.preset);
  const isInherited = isTextual(uses);
  const parsed = v.safeParse(connectionSchema, { ...own, ...withoutUndefined(written) });
  const found = (parsed.issues ?? []).flatMap(faultsOfIssue);
  const output = parsed.output as Output;
  const settings = {
    ...app.checked,
    ...output,
    session: { ...app.checked.session, ...withoutUndefined(output.session) },
  } as ResolvedSettings;
  const faulty = [
    ...app.faulty.filter((option) => !isOfConnection(option)),
    ...found.map(({ option }) => option),
  ];
  const joint = faultsByRules(rules.filter(concernsConnection), settings, context, faulty);
  const faults = [...found, ...joint].filter(
    ({ option }) => !isInherited || Object.hasOwn(written, nameIn(option)),
  );
  return {
    connections: [{ ...output, id, uses: output.uses ?? id }],
    faults: faults.map((fault) => inConnection(id, fault)),
  };
}

/** The settings of a client as written, for another connection which uses it. */
function clientOf(written: unknown): JSONObject {
  const entries = isJSONObject(written) ? Object.entries(withoutUndefined(written)) : [];
  return Object.fromEntries(
    entries.filter(([name]) => isOfConnection(name) && !ofOneAlone.includes(name)),
  );
}

function concernsConnection({ option }: { readonly option: string }): boolean {
  return isOfConnection(option) || /^session\.\w+Duration$/.test(option);
}

function isOfConnection(option: string): boolean {
  return Object.hasOwn(connectionEntries, nameIn(option));
}

function nameIn(option: string): string {
  return option.split(".", 1)[0] ?? "";
}

function withoutUndefined(members: JSONObject): JSONObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function isTextual(value: unknown): value is string {
  return typeof value === "string";
}

/** The fault of a setting, named as that of the connection. */
function inConnection(id: string, fault: ConfigFault): ConfigFault {
  const rename = (text: string) =>
    text.replaceAll(/\bLATCHKEY_[A-Z_]+/g, (variable) =>
      ofConnection.has(variable) ? connectionVariable(id, variable) : variable,
    );
  const { variable, message, remedy } = fault;
  return {
    ...fault,
    option: `connections.${id}.${fault.option}`,
    variable: rename(variable),
    message: rename(message),
    remedy: rename(remedy),
  };
}

const ofConnection = new Set(Object.keys(connectionEntries).map(variableOf));

/** The variable of a connection for a setting, such as `LATCHKEY_CONNECTION_ACME_CLIENT_ID`. */
export function connectionVariable(id: string, variable: string): string {
  const word = id.replaceAll("-", "_").toUpperCase();
  return variable.replace(/^LATCHKEY_/, `LATCHKEY_CONNECTION_${word}_`);
}

const remedy = "Pass an object such as { acme: { issuerBaseURL, clientID, clientSecret } }.";
const variable = "LATCHKEY_CONNECTIONS";

const noConnections: ConfigFault = {
  option: "connections",
  variable,
  message: "must be an object with the settings of each connection by its id",
  remedy,
};

function noSettings(id: string): ConfigFault {
  const option = `connections.${id}`;
  return { option, variable: "", message: "must be an object of settings", remedy };
}
