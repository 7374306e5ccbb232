import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { actionsOf, script } from "../suite/expectations.ts";
import { hostFolder, sharedWorld } from "../suite/world.ts";

/** The addresses of all server functions, as the build has named them. */
function serverFunctions(): readonly string[] {
  const folder = path.join(hostFolder, "dist/client/assets");
  const code = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .join("\n");
  return [...new Set(code.match(/\b[\da-f]{64}\b/g))].map((id) => `/_serverFn/${id}`);
}

describe("the server functions of TanStack Start", () => {
  const world = sharedWorld();

  function ask(target: string, method: string, headers: Readonly<Record<string, string>> = {}) {
    const own = {
      accept: "application/json",
      "x-tsr-serverfn": "true",
      "sec-fetch-site": "same-origin",
      referer: `${world().baseURL}/private?tab=2`,
    };
    return world().send({ method, target, headers: { ...script, ...own, ...headers } });
  }

  test("lead the client to login if they require a session, with the way back to its page [AD-010, AD-013, AD-015]", async () => {
    expect(serverFunctions()).toHaveLength(3);
    const asked = serverFunctions().flatMap((target) => [ask(target, "GET"), ask(target, "POST")]);
    const responses = await Promise.all(asked);
    const redirects = responses.filter(({ body }) => body.includes("isSerializedRedirect"));
    expect(redirects.map(({ body }): unknown => JSON.parse(body))).toEqual(
      [302, 303].map((statusCode) => ({
        href: `${world().baseURL}/api/auth/login?returnTo=%2Fprivate%3Ftab%3D2`,
        statusCode,
        reloadDocument: true,
        isSerializedRedirect: true,
      })),
    );
    expect(await actionsOf(world())).toBe(0);
  });

  test("of another site's form are refused by TanStack's own protection [AD-015]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const headers = { cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const asked = serverFunctions().map((target) => ask(target, "POST", headers));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.every((status) => status >= 400)).toBe(true);
    expect(await actionsOf(world())).toBe(0);
  });
});
