import { hash } from "node:crypto";

import type { Awaitable } from "../awaitable.ts";
import type { DigestName } from "./digest.ts";

/** The digest of a text in UTF-8, at once: Web Crypto sends a thread for it, which costs more than the digest. */
export function digest(name: DigestName, text: string): Awaitable<Uint8Array> {
  return hash(name, text, "buffer");
}
