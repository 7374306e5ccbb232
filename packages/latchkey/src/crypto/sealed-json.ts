import { type KeyRing, openText, sealText } from "./key-ring.ts";

/** Seals a value as JSON; its key id alone can be read. */
export function sealJSON(keys: KeyRing, value: unknown): string {
  return sealText(keys, {}, JSON.stringify(value));
}

/** The value that was sealed; `null` where no key of ours opens the text, or where it holds no JSON. */
export function openJSON(keys: KeyRing, text: string): unknown {
  const opened = openText(keys, text);
  return typeof opened === "string" ? null : parseJSON(opened.text);
}

/** `null` for a text that is no JSON. */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
