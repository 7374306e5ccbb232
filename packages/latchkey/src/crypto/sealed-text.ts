import { type ContentKey, openJWE, parseJWE, sealJWE } from "#jwe";

import { andThen, type Awaitable } from "../awaitable.ts";
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
export function openText(ring: KeyRing, value: string): Awaitable<OpenedText | null> {
  const parts = parseJWE(value);
  return parts === null ? null : openWithAny(candidates(ring, parts), parts);
}

function candidates(ring: KeyRing, { header }: JWEParts): readonly ContentKey[] {
  const id = header["kid"];
  if (id === undefined) return ring.all;
  const named = typeof id === "string" ? ring.byId.get(id) : undefined;
  return named === undefined ? [] : [named];
}

function openWithAny(keys: readonly ContentKey[], parts: JWEParts): Awaitable<OpenedText | null> {
  const [key, ...others] = keys;
  if (key === undefined) return null;
  return andThen(openJWE(key, parts), (text) =>
    text === null ? openWithAny(others, parts) : { header: parts.header, text },
  );
}
