import { type Awaitable, type ContentKey, openJWE, parseJWE, sealJWE } from "#jwe";

import type { JWEHeader, JWEParts } from "./jwe-header.ts";
import type { KeyRing } from "./keys.ts";

export interface OpenedText {
  readonly header: JWEHeader;
  readonly text: string;
}

/** Seals with the current key and names it in the header. */
export function sealText(ring: KeyRing, header: JWEHeader, text: string): Awaitable<string> {
  return sealJWE(ring.current, { ...header, kid: ring.current.id }, text);
}

/**
 * Opens a sealed text. Where the header names a key, that key alone is tried, so that many secrets cost no
 * more than one; a value from elsewhere, which names none, is tried with each in turn.
 */
export async function openText(ring: KeyRing, value: string): Promise<OpenedText | null> {
  const parts = parseJWE(value);
  if (parts === null) return null;
  for (const key of candidates(ring, parts)) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other, the first that fits ends it
    const text = await openJWE(key, parts);
    if (text !== null) return { header: parts.header, text };
  }
  return null;
}

function candidates(ring: KeyRing, { header }: JWEParts): readonly ContentKey[] {
  const id = header["kid"];
  if (id === undefined) return ring.all;
  const named = typeof id === "string" ? ring.byId.get(id) : undefined;
  return named === undefined ? [] : [named];
}
