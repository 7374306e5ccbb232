import * as fc from "fast-check";
import { expect, test } from "vitest";

import { reasons } from "../../../src/errors/reasons.ts";
import { jarAfter } from "../../browser/cookie-jar.ts";
import { patience, runs } from "../../properties/runs.ts";
import { type Canaries, createCanaries, everythingIn } from "../world/canaries.ts";
import { createQuickApp, type QuickApp } from "../../worlds/quick-app.ts";
import { type Members, metadataOf } from "../../worlds/quick-provider.ts";

const names = ["metadata", "token", "userinfo"] as const;

/** Wrong values for a member of a response. */
const oddValue = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1e300, "", [], {}, "https://evil.example/", "\u0000\r\n"),
  fc.string({ maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A response with some wrong members, or none at all as the standard defines it. */
interface Spoilt {
  readonly endpoint: (typeof names)[number];
  readonly status: number;
  readonly type: string;
  readonly change: "members" | "other JSON" | "bytes";
  readonly member: number;
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

const spoilt: fc.Arbitrary<Spoilt> = fc.record({
  endpoint: fc.constantFrom(...names),
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant(200) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(201, 204, 301, 400, 401, 403, 404, 418, 429, 500, 503),
    },
  ),
  type: fc.oneof(
    { weight: 6, arbitrary: fc.constant("application/json") },
    { weight: 1, arbitrary: fc.constantFrom("text/html", "application/jwt", "", "text/plain") },
  ),
  change: fc.constantFrom("members", "members", "other JSON", "bytes"),
  member: fc.nat({ max: 20 }),
  value: oddValue,
  bytes: fc.uint8Array({ maxLength: 60 }),
});

function spoil(good: Members, { status, type, change, member, value, bytes }: Spoilt): Response {
  const list = Object.keys(good);
  const name = list[member % list.length] ?? "";
  const body =
    change === "members"
      ? JSON.stringify({ ...good, [name]: value })
      : change === "bytes"
        ? Buffer.from(bytes)
        : JSON.stringify(value);
  const headers = type === "" ? {} : { "content-type": type };
  const isBodiless = status === 204;
  return new Response(isBodiless ? null : body, {
    status,
    headers: { ...headers, ...(status === 301 ? { location: "https://evil.example/" } : {}) },
  });
}

test(
  "the app turns any response of the provider into an error of the catalog or a whole session, and logs no secret of it [REL-P08, REL-P11]",
  async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(spoilt, async (answer) => {
        const app = createQuickApp({ userinfo: "always" });
        const canaries = createCanaries();
        canaries.add("client secret", app.options.clientSecret);
        canaries.add("secret", String(app.options.secret));
        const { answers, issuer } = app.provider;
        if (answer.endpoint === "metadata")
          answers.metadata = () => spoil(metadataOf(issuer), answer);
        if (answer.endpoint === "userinfo") {
          answers.userinfo = () => spoil({ sub: "quick-person", name: "Quick" }, answer);
        }
        answers.token = (good) => {
          for (const [name, value] of Object.entries(good)) canaries.add(name, String(value));
          return answer.endpoint === "token" ? spoil(good, answer) : Response.json(good);
        };
        const outcome = await signIn(app, canaries);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        expect(canaries.foundIn(everythingIn(app.events))).toEqual([]);
      }),
      runs,
    );
    expect(outcomes.get("signed in")).toBeGreaterThan(runs.numRuns / 200);
    expect(outcomes.get("callback refused")).toBeGreaterThan(runs.numRuns / 20);
    expect(outcomes.get("login refused")).toBeGreaterThan(runs.numRuns / 50);

    async function signIn(app: QuickApp, canaries: Canaries): Promise<string> {
      const login = await app.ask("/api/auth/login");
      if (login.status !== 302) return expectRefusal(app, login, "login");
      const state = new URL(login.headers.get("location") ?? "").searchParams;
      for (const name of ["state", "nonce", "code_challenge"]) canaries.add(name, state.get(name));
      const code = app.provider.newCode(state.get("nonce") ?? "");
      canaries.add("code", code);
      const jar = jarAfter(login.headers.getSetCookie());
      for (const value of Object.values(jar)) canaries.add("cookie", value);
      const query = new URLSearchParams({ code, state: state.get("state") ?? "" }).toString();
      const callback = await app.ask(`/api/auth/callback?${query}`, { jar });
      if (callback.status !== 302) return expectRefusal(app, callback, "callback");
      const me = await app.ask("/api/auth/me", { jar: jarAfter(callback.headers.getSetCookie()) });
      expect([me.status, await me.json()]).toMatchObject([200, { sub: "quick-person" }]);
      return "signed in";
    }

    function expectRefusal(app: QuickApp, answer: Response, route: string) {
      const refusals = app.events.filter((event) => event.event === "refusal");
      expect(refusals).toHaveLength(1);
      expect(refusals[0]?.route).toBe(route);
      expect(Object.keys(reasons)).toContain(refusals[0]?.reason);
      expect(refusals[0]?.reason).not.toBe("internal");
      expect(answer.status).toBe(refusals[0]?.status);
      expect(answer.headers.getSetCookie().join()).not.toContain("appSession");
      return `${route} refused`;
    }
  },
  patience,
);
