import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AccessTokenError, type Auth } from "../../src/index.ts";
import { jarAfter } from "../cookie-jar.ts";
import { jarOf, signIn, startLogin } from "./attempt.ts";
import { type HostileWorld, type SetUp, startHostileWorld } from "./hostile-world.ts";
import { createQuickApp, type Jar, quickRequest } from "./quick-app.ts";
import { logsStayQuiet } from "./quiet-logs.ts";

let world: HostileWorld;
beforeAll(async () => {
  world = await startHostileWorld();
});
afterAll(() => world.close());

/** A page that needs an access token. */
const page: NonNullable<SetUp["page"]> = async (request: Request, auth: Auth) => {
  try {
    return new Response((await auth.of(request).accessToken()).accessToken);
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return new Response(error.code, { status: 500 });
  }
};

describe("requests that all find the access token run out", () => {
  test.each([false, true])(
    "cost one refresh, get its result, and nobody is signed out; late ones with the old cookie as well; stateful: %s [REL-C01, ATK-014]",
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
          const jar = jarAfter(headers.getSetCookie(), await jarOf(browser, world));
          const me = await world.auth.handle(quickRequest(world.baseURL, "/api/auth/me", { jar }));
          expect(me?.status).toBe(200);
        }
      }
    },
  );
});

test("200 people at once, each with mixed requests: nobody sees anything of another [REL-C02, ATK-006, ATK-007]", async () => {
  const app = createQuickApp();
  const people = await Promise.all(
    Array.from({ length: 200 }, (_, index) => enter(`person-${index}`)),
  );
  const wrong: string[] = [];
  await Promise.all(
    people.flatMap(({ name, jar }) =>
      Array.from({ length: 50 }, async (_, index) => {
        const request = quickRequest(app.baseURL, "/x", { jar });
        const seen =
          index % 3 === 0
            ? await (await app.ask("/api/auth/me", { jar })).text()
            : index % 3 === 1
              ? JSON.stringify(await app.auth.peek(request))
              : JSON.stringify(app.auth.of(request).session);
        if (!seen.includes(`"${name}"`)) wrong.push(`${name} saw ${seen}`);
      }),
    ),
  );
  expect(wrong).toEqual([]);
  expect(new Set(people.map(({ jar }) => jar["appSession"])).size).toBe(200);

  async function enter(name: string): Promise<{ name: string; jar: Jar }> {
    const begun = await app.begin();
    app.provider.people.set(begun.code, name);
    const answer = await app.finish(begun);
    return { name, jar: jarAfter(answer.headers.getSetCookie()) };
  }
});

test("50 times the same callback at once is one token request and one session [REL-C06]", async () => {
  world.setUp();
  const browser = world.browser();
  const { location } = await startLogin(world, browser);
  const returned = await world.provider.visit(location);
  const cookie = await browser.cookies();
  world.provider.resetLog();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      world.browser().request(returned?.url ?? "", { headers: { cookie } }),
    ),
  );
  const sessions = answers.flatMap(({ headers }) =>
    headers.getSetCookie().filter((line) => /^appSession=./.test(line)),
  );
  expect(world.provider.requestsTo("token")).toHaveLength(1);
  expect(sessions).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
});

logsStayQuiet(() => world);
