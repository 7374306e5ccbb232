/** What JSON calls an object. */
export type JSONObject = Readonly<Record<string, unknown>>;

export function isJSONObject(value: unknown): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** The kind of a JSON value, for the log: it may be a secret itself. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value === "") return "an empty text";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

/** The value of a JSON text; `null` for any other text. */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Some providers write an absent member as null. */
export function withoutNulls(members: JSONObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** Freezes a value of JSON with all its members: several requests share it. */
export function freezeDeep<T extends object>(value: T): T {
  for (const each of Object.values(value)) {
    if (typeof each === "object" && each !== null) freezeDeep(each);
  }
  return Object.freeze(value);
}

/** Whether a claim is a time in seconds since 1970, within 30,000 years (RFC 7519, section 2). */
export function isNumericDate(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < 1e12;
}
