/** What JSON calls an object. */
export type JSONObject = Readonly<Record<string, unknown>>;

export function isJSONObject(value: unknown): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; `null` for any other text. */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
