import { describe, expect, test } from "vitest";

import { expectPage } from "../expectations.ts";
import { type DrivenHost, sharedWorld, type World } from "./world.ts";

/** People sign in and out, and what they meet is what the engine says. */
export function signInRows(host: DrivenHost): void {
  describe(`sign-in on ${host.title}`, () => {
    const world = sharedWorld(host);

    test("leads a person to the requested page, its query included [AD-001]", async () => {
      const { baseURL } = world();
      const page = await world().browser().signIn(`${baseURL}/private?tab=2`);
      expect(page.url.href).toBe(`${baseURL}/private?tab=2`);
      expectPage(page, "Private page of Ada Okafor");
    });

    test.each(ownRoutes)(
      "answers %s %s as the engine does, header by header [AD-001]",
      async (method, target) => {
        const { baseURL, engine } = world();
        const headers = { accept: "text/html" };
        const request = new Request(baseURL + target, { method, headers });
        const own = await engine.respond(request, () => new Response("the application"));
        const { status, headers: fields } = await world().send({ method, target, headers });
        expect(status).toBe(own.status);
        expect(comparable(world(), fields)).toEqual(comparable(world(), own.headers));
      },
    );

    test("ends upon a back-channel logout without an Origin [AD-003]", async () => {
      const browser = await world().signedIn("person-clara");
      const [delivery] = await world().provider.endSessions("person-clara");
      expect(delivery?.status).toBe(204);
      const { status, location } = await browser.request("/private");
      expect([status, location]).toEqual([
        302,
        `${world().baseURL}/api/auth/login?returnTo=%2Fprivate`,
      ]);
    });

    test("leads a sign-out to its own page [AD-001]", async () => {
      const browser = await world().signedIn("person-ben");
      const page = await browser.open("/api/auth/logout");
      expect([page.url.pathname, page.status, page.headers.get("content-type")]).toEqual([
        "/_auth/signed-out",
        200,
        "text/html; charset=utf-8",
      ]);
      expect((await browser.request("/private")).status).toBe(302);
    });
  });

  describe(`sign-in by form_post on ${host.title}`, () => {
    const shared = sharedWorld(host, { environment: { LATCHKEY_RESPONSE_MODE: "form_post" } });

    test("takes the form posted by the provider with its own Origin, or with none [AD-002]", async () => {
      const world = shared();
      const page = await world.browser().signIn(`${world.baseURL}/private?tab=2`);
      expect(page.url.search).toBe("?tab=2");
      expectPage(page, "Private page of Ada Okafor");

      const browser = world.browser();
      const { address, init } = await browser.untilCallback("/api/auth/login?returnTo=/private");
      const posted = await browser.open(address, { ...init, headers: { origin: "null" } });
      expectPage(posted, "Private page of Ada Okafor");
    });

    test("takes it at the address with a final slash, or after a redirect of the host with the form [AD-002, AD-008]", async () => {
      const browser = shared().browser();
      const { address, init } = await browser.untilCallback("/api/auth/login?returnTo=/private");
      const posted = await browser.request(`${address}/`, init);
      const isLed = posted.status === 308;
      const response = isLed ? await browser.request(posted.location, init) : posted;
      expect(response.location).toBe(`${shared().baseURL}/private`);
      expectPage(await browser.open(response.location), "Private page of Ada Okafor");
    });
  });
}

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

/**
 * Headers without those of the connection, and with what is random masked. A redirect may be
 * relative.
 */
function comparable(
  { baseURL }: World,
  headers: Iterable<readonly [string, string]>,
): readonly string[] {
  const connection =
    /^(?:date|connection|keep-alive|transfer-encoding|content-length|x-powered-by)$/;
  return Array.from(
    headers,
    ([name, value]) => [name.toLowerCase(), mask(value.replace(baseURL, ""))] as const,
  )
    .filter(([name, value]) => !connection.test(name) && value !== "")
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();
}

/** A server with compression adds to `Vary`. */
function mask(value: string): string {
  return value
    .replace(/(?:^|, )Accept-Encoding$/i, "")
    .replaceAll(/\b(state|nonce|code_challenge)=[\w-]+/g, "$1=…")
    .replace(/^(\w+)=[^;]+/, "$1=…")
    .replaceAll(/Expires=[^;]+/g, "Expires=…");
}
