/**
 * Returns the claim with a name, or with a path of names with dots between them, such as
 * `realm_access.roles`. In each object a member with the whole rest of the path comes first, then
 * the longest name that is an object. Inherited properties are no claims, and a path leads through
 * no list.
 *
 * @returns `undefined` if there is none
 */
export function findClaim(claims: object, path: string): unknown {
  if (Object.hasOwn(claims, path)) return memberOf(claims, path);
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const outer = memberOf(claims, path.slice(0, dot));
    if (typeof outer === "object" && outer !== null && !Array.isArray(outer)) {
      return findClaim(outer, path.slice(dot + 1));
    }
  }
  return undefined;
}

function memberOf(claims: object, name: string): unknown {
  return Object.hasOwn(claims, name) ? Reflect.get(claims, name) : undefined;
}
