import { describe, expect, test } from "vitest";

import { expectPrivate, navigation } from "../expectations.ts";
import { type DrivenHost, sharedWorld } from "./world.ts";

/**
 * What a request for a member's page gets: its target, what it is, its status, and a part of its
 * body.
 */
export type AnsweredPage = readonly [target: string, what: string, status: number, text: string];

/** What Nitro answers by itself, by `routeRules` or with a file, before any middleware. */
export function routeRuleRows(
  host: DrivenHost,
  pages: readonly AnsweredPage[],
  notKept: readonly string[],
): void {
  describe("what Nitro answers by itself", () => {
    const world = sharedWorld(host);

    test.each(pages)(
      "%s, %s, is closed to strangers and open to a signed-in user [AD-010]",
      async (target, _, status, text) => {
        const stranger = await world().send({ target, headers: navigation });
        expect([stranger.status, stranger.header("location")]).toEqual([
          302,
          `${world().baseURL}/api/auth/login?returnTo=${encodeURIComponent(target)}`,
        ]);
        const cookie = await (await world().signedIn()).cookies();
        const response = await world().send({ target, headers: { cookie } });
        expect([response.status, response.body]).toEqual([status, expect.stringContaining(text)]);
        expect(response.body).not.toContain("Ada");
      },
    );

    test.each(notKept)(
      "%s is kept by no shared cache for a signed-in user, whatever the headers of routeRules and hooks say [AD-022]",
      async (target) => {
        const cookie = await (await world().signedIn()).cookies();
        const response = await world().send({ target, headers: { ...navigation, cookie } });
        expectPrivate(host, response);
      },
    );
  });
}
