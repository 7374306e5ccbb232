import { isListOfTexts, type JSONObject, kindOf, withoutNulls } from "../../crypto/json-object.ts";
import { faultOfJSON, parseStrictJSON } from "../../crypto/strict-json.ts";
import type { PlainReason } from "../../errors/reasons.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { Log } from "../../telemetry/log-event.ts";
import type { ProviderResponse } from "./provider-fetch.ts";

/** A JSON document of the provider, by its name in the log. */
export type DocumentName = "metadata" | "keys" | "token response" | "userinfo" | "introspection";

/** How an optional member is read. */
export interface OptionalMember<T> {
  /** For the log, such as `a text`. */
  readonly expected: string;
  /** Returns the value as it is used; `undefined` if it cannot be used. */
  readonly read: (value: unknown) => T | undefined;
}

/** The members of a document, the optional ones usable or absent. */
export type ReadMembers<Optional> = JSONObject & {
  readonly [Name in keyof Optional]: Optional[Name] extends OptionalMember<infer T>
    ? T | undefined
    : never;
};

/**
 * Reads the optional members of a document by one rule: null is absent, and so is a member that
 * cannot be used. The log then has one warning for each such member.
 */
export type MemberReader = <Optional extends Readonly<Record<string, OptionalMember<unknown>>>>(
  document: DocumentName,
  members: JSONObject,
  optional: Optional,
) => ReadMembers<Optional>;

export function createMemberReader(log: Log): MemberReader {
  const reported = new Set<string>();

  function report(document: DocumentName, name: string, message: string): void {
    const member = `${document} ${name}`;
    if (reported.has(member)) return;
    reported.add(member);
    log({ event: "warning", message });
  }

  return (document, members, optional) => {
    const read: Record<string, unknown> = withoutNulls(members);
    for (const [name, { expected, read: readMember }] of Object.entries(optional)) {
      const value = read[name];
      if (value === undefined) continue;
      read[name] = readMember(value);
      if (read[name] !== undefined) continue;
      delete read[name];
      const where = `The provider's ${document}: ${name}`;
      report(
        document,
        name,
        `${where} is ${kindOf(value)}, not ${expected}, and counts as absent.`,
      );
    }
    return read as ReadMembers<typeof optional>;
  };
}

/** A text with at least one character. */
export const optionalText: OptionalMember<string> = {
  expected: "a text",
  read: (value) => (typeof value === "string" && value !== "" ? value : undefined),
};

export const optionalTexts: OptionalMember<readonly string[]> = {
  expected: "a list of texts",
  read: (value) => (isListOfTexts(value) ? value : undefined),
};

export const optionalBoolean: OptionalMember<boolean> = {
  expected: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
};

/**
 * Reads a response as a JSON object, without its nulls.
 *
 * @throws {Refusal} as `readObject`
 */
export async function readDocument(...read: Parameters<typeof readObject>): Promise<JSONObject> {
  return withoutNulls(await readObject(...read));
}

/**
 * Reads a response as a JSON object.
 *
 * @param what - its name in the log
 * @throws {Refusal} of the given reason, with the rule that the response breaks
 */
export async function readObject(
  response: ProviderResponse,
  what: string,
  reason: PlainReason,
): Promise<JSONObject> {
  return objectOf(await readBody(response), what, reason);
}

export interface ProviderBody {
  readonly bytes: ArrayBuffer;
  /** `null` if it is no JSON object. */
  readonly object: JSONObject | null;
}

export async function readBody(response: ProviderResponse): Promise<ProviderBody> {
  const bytes = await response.arrayBuffer();
  return { bytes, object: parseStrictJSON(bytes) };
}

/** Returns the JSON object of a body; see `readObject`. */
export function objectOf(
  { bytes, object }: ProviderBody,
  what: string,
  reason: PlainReason,
): JSONObject {
  if (object !== null) return object;
  throw new Refusal(reason, { detail: `${what}: not a JSON object: ${faultOfJSON(bytes)}` });
}
