import * as fc from "fast-check";
import { expect, test } from "vitest";

import { memoryStore } from "../../../src/stores/memory.ts";
import { signedInCookies } from "../../../src/testing/index.ts";
import { patience, runs } from "../../properties/runs.ts";
import { isNumericDate, mostly, onTheWire } from "../world/odd-claims.ts";
import { createQuickApp } from "../../worlds/quick-app.ts";
import { type Members, quickClient } from "../../worlds/quick-provider.ts";

const now = 1_800_000_000;
const event = "http://schemas.openid.net/event/backchannel-logout";

/** Two sessions of one person, one of another. */
const sessions = [
  { sub: "ada", sid: "one" },
  { sub: "ada", sid: "two" },
  { sub: "eve", sid: "three" },
] as const;

/** Names carry a number, so an ended session and its names never return. */
const generation = new Map<string, number>();

function fresh(name: unknown): unknown {
  if (typeof name !== "string" || name === "") return name;
  return `${name}-${generation.get(name) ?? 0}`.slice(0, 1030);
}

const odd = [1e300, -1, `${now}`];
const never = { weight: 30, arbitrary: fc.constant(undefined) };

const claims = fc.record({
  iss: mostly("https://op.example", "https://op.example/"),
  aud: fc.oneof(
    mostly(quickClient.clientID, "another"),
    fc.constantFrom([quickClient.clientID], ["another"]),
  ),
  iat: mostly(now, ...odd, now + 60, now + 61, now - 3660, now - 3661),
  exp: fc.oneof(fc.constant(undefined), mostly(now + 120, ...odd, now - 59, now - 60)),
  jti: fc.oneof(mostly("fresh"), fc.constant("again"), fc.constant("j".repeat(1025))),
  sub: fc.oneof(fc.constant(undefined), mostly("ada", "eve", "nobody", "s".repeat(1025), 1)),
  sid: fc.oneof(fc.constant(undefined), mostly("one", "two", "three", "none", "s".repeat(1025))),
  events: mostly({ [event]: {} }, { [event]: null }, { [event]: [] }, { other: {} }, event, [
    event,
  ]),
  nonce: fc.oneof(never, fc.constantFrom(null, "", "n")),
});
const header = fc.record({
  alg: mostly("HS256", "HS512", "none", "RS256"),
  typ: fc.oneof(
    fc.constant(undefined),
    mostly("logout+jwt", "JWT", "application/logout+jwt", "at+jwt"),
  ),
  crit: fc.oneof(never, fc.constant([])),
});

/** A claim that is null counts as absent, but for the prohibited one. */
function asRead(sent: Members): Members {
  const isThere = ([name, value]: [string, unknown]) => value !== null || name === "nonce";
  return Object.fromEntries(Object.entries(sent).filter(isThere));
}

/** Back-Channel Logout 1.0, section 2.6, in plain code; see decision 0007 for `exp`. */
function mayPass(head: Members, token: Members, used: ReadonlySet<unknown>): boolean {
  const isName = (value: unknown) =>
    typeof value === "string" && value.length > 0 && value.length <= 1024;
  const { iss, aud, iat, exp, jti, sub, sid, events } = token;
  if (head["alg"] !== "HS256" || "crit" in head) return false;
  const types = ["logout+jwt", "JWT", "application/logout+jwt"];
  if (head["typ"] != null && !types.some((type) => type === head["typ"])) return false;
  if (iss !== "https://op.example") return false;
  if (aud !== quickClient.clientID && !(Array.isArray(aud) && aud.includes(quickClient.clientID)))
    return false;
  if (!isNumericDate(iat) || iat > now + 60 || iat < now - 3660) return false;
  if (exp !== undefined && (!isNumericDate(exp) || exp <= now - 60)) return false;
  if (exp === undefined && iat + 3600 <= now - 60) return false;
  if (typeof events !== "object" || events === null || !(event in events)) return false;
  const member: unknown = Object.entries(events).find(([name]) => name === event)?.[1];
  if (typeof member !== "object" || member === null || Array.isArray(member)) return false;
  if ("nonce" in token || !isName(jti) || used.has(jti)) return false;
  if ("sid" in token && !isName(sid)) return false;
  if ("sub" in token && !isName(sub)) return false;
  return "sid" in token || "sub" in token;
}

test(
  "the app accepts a logout token exactly if a plain reading of the standard does, and ends exactly the sessions it names [REL-P07]",
  async () => {
    const clock = () => now * 1000;
    const app = createQuickApp({ backchannelLogout: true, store: memoryStore(clock), clock });
    const used = new Set<unknown>();
    const cookies = await Promise.all(sessions.map(signIn));
    let taken = 0;

    function signIn(session: (typeof sessions)[number]): Promise<string> {
      const user = { sub: String(fresh(session.sub)), sid: String(fresh(session.sid)) };
      // Everybody has signed in before the moment in which all tokens arrive.
      const options = { ...app.options, clock: () => (now - 5) * 1000 };
      return signedInCookies({ options, session: { user } });
    }

    async function isSignedIn(cookie: string): Promise<boolean> {
      const peek = await app.ask("/_auth/session.json", { headers: { cookie } });
      return (await peek.text()).includes('"signed-in"');
    }

    await fc.assert(
      fc.asyncProperty(header, claims, async (head, body) => {
        const jti = body.jti === "fresh" ? crypto.randomUUID() : body.jti;
        const named = { ...body, jti, sub: fresh(body.sub), sid: fresh(body.sid) };
        const [wireHeader, sent] = [onTheWire(head), onTheWire(named)];
        const token = asRead(sent);
        const answer = await app.ask("/api/auth/backchannel-logout", {
          method: "POST",
          body: new URLSearchParams({ logout_token: app.provider.sign(sent, wireHeader) }),
        });
        const passes = mayPass(wireHeader, token, used);
        expect([answer.status, token]).toEqual([passes ? 204 : 400, token]);
        const isMeant = ({ sub, sid }: (typeof sessions)[number]) =>
          "sid" in token ? token["sid"] === fresh(sid) : token["sub"] === fresh(sub);
        const meant = sessions.filter((each) => passes && isMeant(each));
        const expected = sessions.map((each) => !meant.includes(each));
        expect(await Promise.all(cookies.map(isSignedIn))).toEqual(expected);
        if (!passes) return;
        taken += 1;
        used.add(jti);
        // The names in the token are used up. The next sign-in uses a new name.
        const name = String("sid" in token ? body.sid : body.sub);
        generation.set(name, (generation.get(name) ?? 0) + 1);
        for (const each of meant) cookies[sessions.indexOf(each)] = await signIn(each);
      }),
      runs,
    );
    expect(taken).toBeGreaterThan(runs.numRuns / 20);
  },
  patience,
);
