import type { Context } from "../context.ts";
import { changeBody, situationOf } from "../context.ts";
import type { ResponseParts } from "../faults.ts";
import { json } from "../faults.ts";
import { accessTokenClaims } from "../tokens/access-token.ts";

/** Calls every token active (RFC 7662, section 2.2). */
export function handleIntrospection(context: Context): ResponseParts {
  const situation = situationOf(context, "token", {});
  const members = { active: true, token_type: "Bearer", ...accessTokenClaims(context, situation) };
  return json(changeBody(context, "introspection", members, situation));
}
