import { describe, expect, test } from "vitest";

import { AccessTokenError, type Auth } from "../../src/index.ts";
import { type Jar, jarAfter, jarOf } from "../browser/cookie-jar.ts";
import { signIn } from "./world/attempt.ts";
import { notFound, type SetUp, startHostileWorld } from "./world/hostile-world.ts";
import { createQuickApp, quickRequest } from "../worlds/quick-app.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

/** A page that needs an access token. */
const page: NonNullable<SetUp["page"]> = async (request: Request, auth: Auth) => {
  try {
    return new Response(await auth.of(request).accessToken());
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return new Response(error.code, { status: 500 });
  }
};

describe("50 concurrent requests with an expired access token", () => {
  test.each([false, true])(
    "cost one refresh, share its result with a later request that still sends the old cookie, and sign nobody out; stateful: %s [REL-C01, ATK-014]",
    async (stateful) => {
      world.setUp({ page, options: { session: { stateful } } });
      for (let round = 0; round < 5; round += 1) {
        const { browser } = await signIn(world);
        const cookie = await browser.cookies();
        const ask = () => world.browser().request("/private", { headers: { cookie } });
        world.advance(290);
        world.provider.resetLog();
        const answers = await Promise.all(Array.from({ length: 50 }, ask));
        const late = await ask();
        const tokens = new Set([...answers, late].map(({ text }) => text));
        expect([...answers, late].map(({ status }) => status)).toEqual(Array(51).fill(200));
        expect(tokens.size).toBe(1);
        expect(world.provider.requestsTo("refresh")).toHaveLength(1);
        for (const { headers } of answers) {
          const jar = jarAfter(headers.getSetCookie(), jarOf(await browser.cookies()));
          const request = quickRequest(world.baseURL, "/api/auth/me", { jar });
          expect((await world.auth.respond(request, notFound)).status).toBe(200);
        }
      }
    },
  );
});

test("none of 200 users with concurrent requests of three kinds sees another user [REL-C02, ATK-006, ATK-007]", async () => {
  const app = createQuickApp();
  const people = await Promise.all(
    Array.from({ length: 200 }, (_, index) => enter(`person-${index}`)),
  );
  const wrong: string[] = [];
  await Promise.all(
    people.flatMap(({ name, jar }) =>
      Array.from({ length: 50 }, async (_, index) => {
        const path = ["/api/auth/me", "/_auth/session.json", "/x"][index % 3] ?? "";
        const answer = await app.open(path, { jar }, ({ session }) => Response.json(session));
        const seen = await answer.text();
        if (!seen.includes(`"${name}"`)) wrong.push(`${name} saw ${seen}`);
      }),
    ),
  );
  expect(wrong).toEqual([]);
  expect(new Set(people.map(({ jar }) => jar["appSession"])).size).toBe(200);

  async function enter(name: string): Promise<{ name: string; jar: Jar }> {
    const begun = await app.begin();
    app.provider.people.set(begun.code, { sub: name });
    const answer = await app.finish(begun);
    return { name, jar: jarAfter(answer.headers.getSetCookie()) };
  }
});

logsStayQuiet(world);
