import type { JWK } from "jose";
import type { Context } from "../context.ts";
import { situationOf } from "../context.ts";
import type { ResponseParts } from "../faults.ts";
import { json } from "../faults.ts";
import { publishedKeys } from "../key-ring.ts";

/** Returns the key set (RFC 7517, section 5). */
export function handleKeys(context: Context): ResponseParts {
  const situation = situationOf(context, "authorization", {});
  const keys = context.behaviors.reduce<readonly JWK[]>(
    (set, behavior) => behavior.keySet?.(set, situation) ?? set,
    publishedKeys(context.keys),
  );
  return json({ keys });
}
