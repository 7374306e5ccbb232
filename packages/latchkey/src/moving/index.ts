import type { Part } from "../host/part.ts";
import { formerSessions, type MovingOptions } from "./former-sessions.ts";
import { signInOfExpressOpenIDConnect } from "./express-openid-connect.ts";
import { signInOfNextjsAuth0 } from "./nextjs-auth0.ts";

export type { MovingOptions } from "./former-sessions.ts";

/**
 * Keeps the users signed in whose session nextjs-auth0 4 has written: pass the result as
 * `formerSessions`. Reads the cookie `__session`, and `appSession` of version 3. Sessions in a
 * store of that library are not read.
 */
export function nextjsAuth0(options: MovingOptions): Part<"formerSessions"> {
  return formerSessions(options, {
    call: "nextjsAuth0()",
    cookiesOf: (name = "__session") => [
      { name, chunks: "__" },
      { name: "appSession", chunks: "." },
    ],
    signInOf: signInOfNextjsAuth0,
  });
}

/**
 * Keeps the users signed in whose session express-openid-connect 2 or 3 has written: pass the
 * result as `formerSessions`. Reads the cookie `appSession`. Sessions in a store of that library
 * are not read.
 */
export function expressOpenIDConnect(options: MovingOptions): Part<"formerSessions"> {
  return formerSessions(options, {
    call: "expressOpenIDConnect()",
    cookiesOf: (name = "appSession") => [{ name, chunks: "." }],
    signInOf: signInOfExpressOpenIDConnect,
  });
}
