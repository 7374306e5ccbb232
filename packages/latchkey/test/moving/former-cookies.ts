import { readFileSync } from "node:fs";

import { createAuth, type Options } from "../../src/index.ts";
import { expressOpenIDConnect, nextjsAuth0 } from "../../src/moving/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import type { Jar } from "../browser/cookie-jar.ts";

/** A session as a library has written it at the end of a sign-in. */
export interface FormerCookies {
  readonly secret: string;
  readonly issuer: string;
  readonly clientID: string;
  /** Epoch seconds. */
  readonly madeAt: number;
  readonly cookies: Jar;
}

interface Recorded {
  /** One cookie, with the defaults of the library. */
  readonly small: FormerCookies;
  /** Two chunks, with own fields `roles` and `pad`. */
  readonly chunked: FormerCookies;
}

function recordedBy(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8")) as Recorded;
}

export const libraries = [
  { name: "nextjs-auth0", move: nextjsAuth0, ...recordedBy("nextjs-auth0") },
  {
    name: "express-openid-connect",
    move: expressOpenIDConnect,
    ...recordedBy("express-openid-connect"),
  },
] as const;

export type Library = (typeof libraries)[number];

export const until = "2099-01-01";
const hour = 3600;

/** An app that has moved, an hour after the sign-in in the former library. */
export function movedApp(
  { move }: Pick<Library, "move">,
  given: FormerCookies,
  options: Partial<Options> = {},
) {
  const { secret, issuer, clientID, madeAt } = given;
  const messages: string[] = [];
  let now = (madeAt + hour) * 1000;
  const auth = createAuth({
    baseURL: "http://localhost:3000",
    issuerBaseURL: issuer,
    clientID,
    clientSecret: "client-secret",
    secret: "the-new-secret-of-this-app-0123456789abcdef",
    formerSessions: move({ secret, until }),
    store: memoryStore(() => now),
    clock: () => now,
    log: (event) => void (event.event === "warning" && messages.push(event.message)),
    ...options,
  });
  return {
    auth,
    messages,
    advance: (seconds: number) => void (now += seconds * 1000),
  };
}
