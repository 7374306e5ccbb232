import * as v from "valibot";

import { isJSONObject, type JSONObject } from "../crypto/json-object.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import { faultsOfIDs, inWordsOf } from "./connection-ids.ts";
import { defaultID } from "./constants.ts";
import { nearestName } from "./nearest-name.ts";
import { hardenedClient } from "./preset.ts";
import { faultsAmong } from "./rules/connection-rules.ts";
import { faultsByRules, type RuleContext } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";
import { connectionEntries, connectionSchema, type ResolvedSettings } from "./settings-schema.ts";
import { faultsOfIssue } from "./settings-faults.ts";
import { settingDefinitions, variableOf } from "./setting-definitions.ts";

type Output = v.InferOutput<typeof connectionSchema>;

/** The settings of one more connection, with every default in place. */
export interface ResolvedConnection extends Output {
  readonly id: string;
  /** The id of the connection whose client it has: its own, unless it uses another one. */
  readonly uses: string;
}

interface AppSettings extends GivenSettings {
  /** What counts for every connection. */
  readonly shared: Partial<ResolvedSettings>;
}

/** The settings of the app, as written and as checked. */
interface GivenSettings {
  readonly written: JSONObject;
  readonly checked: ResolvedSettings;
  /** The names of those with a fault. */
  readonly faulty: readonly string[];
}

interface ReadConnections {
  readonly connections: readonly ResolvedConnection[];
  readonly faults: readonly ConfigFault[];
}

/** What each connection sets for itself, also one that uses the client of another. */
const ofOneAlone = [
  "uses",
  "label",
  "domains",
  "otherEmails",
  "revealDomains",
  "hosts",
  "hidden",
  "session",
];

/** What it may set in place of the client's setting. */
const overClient = (
  "organization maxAge acr scope resources authorizationParams loginParams userinfo " +
  "refetchUserinfo identityClaimFilter idpLogout"
).split(" ");

const known = Object.keys(connectionSchema.entries);
const ofSession = Object.keys(connectionSchema.entries.session.wrapped.entries);
/** Every option of a connection. */
const options = [...known, ...ofSession.map((name) => `session.${name}`)];

/** Reads the connections beside that of the flat settings. */
export function readConnections(settings: GivenSettings, context: RuleContext): ReadConnections {
  const { connections: given = {} } = settings.written;
  if (!isJSONObject(given)) return { connections: [], faults: [noConnections] };
  const app = asApp(settings);
  const read = Object.entries(given).map(([id, written]) =>
    isJSONObject(written)
      ? readConnection({ id, written, given }, app, context)
      : { connections: [], faults: [noSettings(id)] },
  );
  const connections = read.flatMap((each) => each.connections);
  const faults = [...faultsOfIDs(Object.keys(given)), ...read.flatMap((each) => each.faults)];
  return judgeTogether(app, { connections, faults });
}

/** Returns a function that reads one more connection beside those of settings without a fault. */
export function oneMoreConnection(
  settings: GivenSettings,
  context: RuleContext,
): (id: string, written: JSONObject) => ReadConnections {
  const app = asApp(settings);
  const { connections: listed } = readConnections(settings, context);
  const { connections: ofApp } = settings.written;
  return (id, written) => {
    const given = { ...(isJSONObject(ofApp) && ofApp), [id]: written };
    const { connections, faults } = readConnection({ id, written, given }, app, context);
    const others = listed.filter((each) => each.id !== id);
    const judged = judgeTogether(app, {
      connections: [...others, ...connections],
      faults: [...faultsOfIDs(Object.keys(given)), ...faults],
    });
    return { ...judged, connections };
  };
}

function asApp(settings: GivenSettings): AppSettings {
  return { ...settings, shared: withoutConnection(settings.checked) };
}

/** Adds the faults that connections have beside each other. */
function judgeTogether(
  app: AppSettings,
  { connections, faults }: ReadConnections,
): ReadConnections {
  const faulty = [...app.faulty, ...faults.map(({ option }) => option)];
  return { connections, faults: [...faults, ...faultsAmong(app.checked, connections, faulty)] };
}

interface WrittenConnection {
  readonly id: string;
  readonly written: JSONObject;
  /** All connections, as written. */
  readonly given: JSONObject;
}

function readConnection(
  connection: WrittenConnection,
  app: AppSettings,
  context: RuleContext,
): ReadConnections {
  const { id, written, given } = connection;
  const { uses } = written;
  const isOwn = typeof uses !== "string";
  const used = isOwn ? hardenedClient(app.checked.preset) : clientOf(uses, app.written, given);
  const parsed = v.safeParse(connectionSchema, { ...used, ...knownIn(written) });
  const output = parsed.output as Output;
  const found = (parsed.issues ?? []).flatMap(faultsOfIssue);
  const faulty = [
    ...app.faulty.filter((option) => !isOfConnection(option)),
    ...found.map(({ option }) => option),
  ];
  const joint = faultsByRules(connectionRules, whole(app, output), context, faulty);
  const faults = [...found, ...joint].filter(
    ({ option }) => isOwn || Object.hasOwn(written, nameIn(option)),
  );
  return {
    connections: [{ ...output, id, uses: output.uses ?? id }],
    faults: [...unknownNames(connection), ...faultsOfUse(connection), ...faults].map((fault) =>
      inConnection(id, fault),
    ),
  };
}

/** The settings of the app, without those of its own connection. */
function withoutConnection(app: ResolvedSettings): Partial<ResolvedSettings> {
  return Object.fromEntries(Object.entries(app).filter(([name]) => !isOfConnection(name)));
}

/** The settings as they would be for this connection alone. */
function whole(app: AppSettings, { session, ...connection }: Output): ResolvedSettings {
  const durations = Object.entries(session).filter(([, value]) => value !== undefined);
  return {
    ...app.shared,
    ...connection,
    session: { ...app.checked.session, ...Object.fromEntries(durations) },
  } as ResolvedSettings;
}

/** The settings of a client as written, for another connection which uses it. */
function clientOf(uses: string, app: JSONObject, given: JSONObject): JSONObject {
  const written = uses === defaultID ? app : ownOf(given, uses);
  const entries = isJSONObject(written) ? Object.entries(written) : [];
  return Object.fromEntries(
    entries.filter(([name]) => known.includes(name) && !ofOneAlone.includes(name)),
  );
}

function ownOf(members: JSONObject, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

const connectionRules = rules.filter(
  ({ option }) => isOfConnection(option) || /^session\.\w+Duration$/.test(option),
);

function isOfConnection(option: string): boolean {
  return Object.hasOwn(connectionEntries, nameIn(option));
}

function nameIn(option: string): string {
  return option.split(".", 1)[0] ?? "";
}

/** The known settings, so that the schema looks at no other. */
function knownIn(written: JSONObject): JSONObject {
  const keep = (members: JSONObject, names: readonly string[]) =>
    Object.fromEntries(
      Object.entries(members).filter(
        ([name, value]) => value !== undefined && names.includes(name),
      ),
    );
  const { session } = written;
  return keep(
    { ...written, session: isJSONObject(session) ? keep(session, ofSession) : session },
    known,
  );
}

function unknownNames({ written }: WrittenConnection): readonly ConfigFault[] {
  const { session } = written;
  const inSession = isJSONObject(session) ? Object.keys(session) : [];
  return [
    ...Object.keys(written).filter((name) => !known.includes(name)),
    ...inSession.filter((name) => !ofSession.includes(name)).map((name) => `session.${name}`),
  ].map(unknownName);
}

function unknownName(option: string): ConfigFault {
  const fault = { option, variable: "" };
  const isOfApp = settingDefinitions.some(
    (each) => each.option === option || each.option.startsWith(`${option}.`),
  );
  if (isOfApp) {
    const message = "is a setting of the app, not of a connection";
    return { ...fault, message, remedy: "Set it beside connections, once for all of them." };
  }
  const named = settingDefinitions.find((each) => each.variable === option);
  const meant = named?.option ?? nearestName(option, options);
  const remedy = meant === undefined ? "Remove it." : `Did you mean ${meant}?`;
  return { ...fault, message: "is not an option of a connection", remedy };
}

/** A client has one home. */
function faultsOfUse({ id, written, given }: WrittenConnection): readonly ConfigFault[] {
  const { uses } = written;
  if (typeof uses !== "string") return [];
  const ids = [defaultID, ...Object.keys(given).filter((other) => other !== id)];
  const fault = { option: "uses", variable: usesVariable, seen: uses };
  if (uses === id || !ids.includes(uses)) {
    const meant = nearestName(uses, ids);
    const remedy =
      meant === undefined ? `Name one of ${ids.join(", ")}.` : `Did you mean ${meant}?`;
    const message = uses === id ? "is the connection itself" : "is the id of no connection";
    return [{ ...fault, message, remedy }];
  }
  const other = ownOf(given, uses);
  if (isJSONObject(other) && other["uses"] !== undefined) {
    const message = "uses the client of another connection itself";
    return [{ ...fault, message, remedy: "Name the connection that has the client." }];
  }
  const ofClient = Object.keys(written)
    .filter((name) => written[name] !== undefined && known.includes(name))
    .filter((name) => !ofOneAlone.includes(name) && !overClient.includes(name));
  return ofClient.map((option) => ({
    option,
    variable: variableOf(option),
    message: `is a setting of the client, which is that of ${uses}`,
    remedy: "Leave it out; or leave out uses, for a client of its own.",
  }));
}

const usesVariable = variableOf("uses");

/** The fault of a setting, named as that of the connection. */
function inConnection(id: string, fault: ConfigFault): ConfigFault {
  const { option, variable, message, remedy } = fault;
  return {
    ...fault,
    option: `connections.${id}.${option}`,
    variable: inWordsOf(id, variable),
    message: inWordsOf(id, message),
    remedy: inWordsOf(id, remedy),
  };
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
