import { describe, expect, test } from "vitest";

import { inParallel } from "../../../packages/latchkey/test/in-parallel.ts";
import { type Spelling, spellingsOf } from "../spellings.ts";
import { type DrivenHost, sharedWorld, type World } from "./world.ts";

const onlyForAda = { claim: { name: "Ada Okafor" } };
const rules = { "/private": onlyForAda, "/files": onlyForAda };

export const rulesForAda = { LATCHKEY_ACCESS_RULES: JSON.stringify(rules) };

/** A page behind a rule is shown to no other user, however its path is spelled. */
export function spellingRows(host: DrivenHost, basePath: "" | "/shop" = ""): void {
  const folders = [`${basePath}/private`, `${basePath}/files/a.txt`];
  const spellings = spellingsOf(folders, { count: 500, seed: 20_261_124 });

  describe(`a rule of a path on ${host.title}`, () => {
    const world = sharedWorld(host, { environment: rulesForAda });

    test("counts for every spelling of the path read by the router and the framework [AD-010, AD-011]", async () => {
      const ada = await shownTo(world(), "person-ada");
      expect(ada.length).toBeGreaterThan(40);
      expect(await shownTo(world(), "person-ben")).toEqual([]);
    });

    async function shownTo(app: World, person: string): Promise<readonly Spelling[]> {
      const browser = app.browser();
      await browser.signIn(`${app.baseURL}/api/auth/login?returnTo=${basePath}/`, person);
      const cookie = await browser.cookies();
      const shown: Spelling[] = [];
      await inParallel(spellings, async (spelling) => {
        const headers = { cookie, ...spelling.headers };
        const { body } = await app.send({ ...spelling, headers });
        if (/Private page of|A file for/.test(body)) shown.push(spelling);
      });
      return shown;
    }
  });
}
