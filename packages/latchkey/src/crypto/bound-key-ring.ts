import { createHmac, createSecretKey } from "node:crypto";

import type { ContentKey } from "./jwe.ts";
import type { KeyRing } from "./key-ring.ts";

/**
 * The same keys, bound to a text: what they seal opens only for whoever has a key of the app and that text. One
 * HMAC-SHA-256 a key, so it is cheap enough for a request.
 */
export function bindKeyRing({ current, all }: KeyRing, text: string): KeyRing {
  const bind = ({ id, key }: ContentKey): ContentKey => ({
    id,
    key: createSecretKey(createHmac("sha256", key).update(text).digest()),
  });
  const bound = all.map(bind);
  return {
    current: bind(current),
    all: bound,
    byId: new Map(bound.map((key) => [key.id, key])),
    watch: undefined,
  };
}
