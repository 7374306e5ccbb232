import { expect, test } from "vitest";

import { type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { longTests } from "../long-tests.ts";
import { createQuickApp } from "../worlds/quick-app.ts";

const users = longTests ? 200 : 60;

test("the app shows none of many users another user's data in concurrent requests of three kinds [REL-C02, ATK-006, ATK-007]", async () => {
  const app = createQuickApp();
  const people = await Promise.all(
    Array.from({ length: users }, (_, index) => enter(`person-${index}`)),
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
  expect(new Set(people.map(({ jar }) => jar["appSession"])).size).toBe(users);

  async function enter(name: string): Promise<{ name: string; jar: Jar }> {
    const begun = await app.begin();
    app.provider.people.set(begun.code, { sub: name });
    const answer = await app.finish(begun);
    return { name, jar: jarAfter(answer.headers.getSetCookie()) };
  }
});
