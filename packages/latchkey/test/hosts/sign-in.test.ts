import { describe, expect, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { worldOfDescribe, worldOfTest } from "./world/host-world.ts";

describe.each(hosts)("signing in on $name", (host) => {
  const shared = worldOfDescribe({ app: host.app });

  test("[AD-001] a person who signs in lands on the page that they asked for, its query included", async () => {
    const world = shared();
    const page = await world.browser().signIn(`${world.baseURL}/private?tab=2`);
    expect(page.url.href).toBe(`${world.baseURL}/private?tab=2`);
    expect([page.status, page.text]).toEqual([200, "Private page of Ada Okafor"]);
  });

  const ownRoutes = [
    ["GET", "/api/auth/login?returnTo=%2Fprivate"],
    ["GET", "/api/auth/callback?error=access_denied&state=x"],
    ["GET", "/api/auth/callback"],
    ["GET", "/api/auth/me"],
    ["HEAD", "/api/auth/me"],
    ["GET", "/api/auth/logout"],
    ["POST", "/api/auth/logout"],
    ["PUT", "/api/auth/login"],
    ["GET", "/api/auth/nothing"],
    ["GET", "/_auth/session.json"],
    ["GET", "/_auth/signed-out"],
    ["GET", "/private"],
    ["GET", "/api/me"],
  ] as const;

  test.each(ownRoutes)(
    "[AD-001] the response to %s %s is the engine's own, header by header",
    async (method, target) => {
      const world = shared();
      const headers = { accept: "text/html" };
      const request = new Request(world.baseURL + target, { method, headers });
      const own = await world.auth.respond(request, () => new Response("the application"));
      const { status, headers: fields } = await world.send({ method, target, headers });
      expect(status).toBe(own.status);
      expect(comparable(fields)).toEqual(comparable([...own.headers]));
    },
  );

  test("[AD-003] a back-channel logout without an Origin ends the session", async () => {
    const world = shared();
    const browser = await world.signedIn("person-clara");
    const [delivery] = await world.provider.endSessions("person-clara");
    expect(delivery?.status).toBe(204);
    const { status, location } = await browser.request("/private");
    expect([status, location]).toEqual([
      302,
      `${world.baseURL}/api/auth/login?returnTo=%2Fprivate`,
    ]);
  });

  test("[AD-001] whoever signs out lands on the page that says so, which the engine itself answers", async () => {
    const world = shared();
    const browser = await world.signedIn("person-ben");
    const page = await browser.open("/api/auth/logout");
    expect(page.url.pathname).toBe("/_auth/signed-out");
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect((await browser.request("/private")).status).toBe(302);
  });
});

describe.each(hosts)("signing in by form_post on $name", (host) => {
  test("[AD-002] the form that the provider posts with its own Origin signs the person in", async () => {
    const options = { responseMode: "form_post" } as const;
    const world = await worldOfTest({ app: host.app, options });
    const page = await world.browser().signIn(`${world.baseURL}/private?tab=2`);
    expect([page.url.search, page.text]).toEqual(["?tab=2", "Private page of Ada Okafor"]);
  });
});

/** Headers without those of the connection, and with what is random masked. */
function comparable(headers: Iterable<readonly [string, string]>): readonly string[] {
  const connection =
    /^(?:date|connection|keep-alive|transfer-encoding|content-length|x-powered-by)$/;
  return Array.from(headers, ([name, value]) => [name.toLowerCase(), masked(value)] as const)
    .filter(([name]) => !connection.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();
}

function masked(value: string): string {
  return value
    .replaceAll(/\b(state|nonce|code_challenge)=[\w-]+/g, "$1=…")
    .replace(/^(\w+)=[^;]+/, "$1=…")
    .replaceAll(/Expires=[^;]+/g, "Expires=…");
}
