import { isJSONObject, type JSONObject, parseJSON } from "../crypto/json-object.ts";
import { connectionsFileVariable, type EnvironmentSettings, textsIn } from "./environment.ts";
import type { Secrets } from "./code-options.ts";
import type { Settings } from "./settings.ts";

/** What files hold, by the variables that name them. */
export type Texts = ReadonlyMap<string, string>;

/** The files, and the connections beside those in a file. */
export interface FilesToRead extends Partial<
  Pick<EnvironmentSettings, "connectionsFile" | "options" | "secretFiles">
> {
  /** Connections in code, which come before all others. */
  readonly given?: Settings["connections"];
}

/** Returns the settings that are in files, with all connections if some of theirs are. */
export function secretsOf(texts: Texts, files: FilesToRead): Secrets {
  const flat: Record<string, unknown> = {};
  const ofConnections: [path: readonly string[], text: string][] = [];
  for (const { path, variable } of files.secretFiles ?? []) {
    const text = texts.get(variable);
    const [first = "", ...rest] = path;
    if (text === undefined) continue;
    if (rest.length > 0) ofConnections.push([rest, text]);
    else flat[first] = first === "secret" ? textsIn(text) : text;
  }
  const hasConnections = files.connectionsFile !== undefined || ofConnections.length > 0;
  if (hasConnections) flat["connections"] = connectionsOf(texts, files, ofConnections);
  return flat;
}

/** An option in code comes before a variable, and a variable before the file. */
function connectionsOf(
  texts: Texts,
  { connectionsFile, options, given = {} }: FilesToRead,
  secrets: readonly (readonly [path: readonly string[], text: string])[],
): unknown {
  const text = connectionsFile === undefined ? "{}" : texts.get(connectionsFileVariable);
  const ofFile = parseJSON(text ?? "");
  // A file that cannot be used is a fault, not an app with fewer connections.
  if (!isJSONObject(ofFile)) return null;
  const all = new Map(Object.entries(ofFile));
  const join = (id: string, settings: unknown) =>
    all.set(id, isJSONObject(settings) ? { ...membersOf(all.get(id)), ...settings } : settings);
  for (const [id, settings] of Object.entries(options?.connections ?? {})) join(id, settings);
  for (const [[id = "", option = ""], secret] of secrets) join(id, { [option]: secret });
  for (const [id, settings] of Object.entries(given)) join(id, settings);
  return Object.fromEntries(all);
}

function membersOf(settings: unknown): JSONObject {
  return isJSONObject(settings) ? settings : {};
}
