import { startProvider } from "@latchkey/provider";
import { describe, expect, test } from "vitest";

import { createAuth, type LogEvent } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { atEnd } from "../at-end.ts";
import { type Browser, createBrowser, isSignedIn } from "../browser/browser.ts";
import { listenerOf, startServer } from "../servers/server.ts";
import { buttonsOf, inTab } from "./chooser-page.ts";

interface OneIssuer {
  readonly stateful?: boolean;
  /** Where each client gets its logout tokens, below the address of `default`. */
  readonly places?: Readonly<Record<"own" | "partner", string>>;
}

type World = Awaited<ReturnType<typeof startOneIssuer>>;

/** An app with two clients of its own at one provider: `default` and `partner`. */
async function startOneIssuer({ stateful = true, places }: OneIssuer = {}) {
  const server = await startServer();
  const at = (path: string) => `${server.origin}/api/auth/${path}`;
  const clientAt = (id: "own" | "partner", place: string) => ({
    id,
    secret: `secret-of-${id}`,
    redirectURIs: [at(`callback${place}`)],
    ...(places && { backchannelLogoutURI: at(`backchannel-logout${places[id]}`) }),
  });
  const clients = [clientAt("own", ""), clientAt("partner", "/partner")];
  const provider = await startProvider({ port: 0, clients });
  const settingsOf = (id: string) => ({
    issuerBaseURL: provider.issuer,
    clientID: id,
    clientSecret: `secret-of-${id}`,
    backchannelLogout: true,
  });
  const events: LogEvent[] = [];
  const auth = createAuth({
    baseURL: server.origin,
    ...settingsOf("own"),
    secret: "a-secret-of-the-tests-with-one-issuer-0123",
    identity: "issuer+sub",
    session: { stateful },
    store: memoryStore(),
    log: (event) => events.push(event),
    connections: { partner: settingsOf("partner") },
  });
  server.serve(listenerOf((request) => auth.respond(request, () => new Response("page"))));
  atEnd(async () => {
    await server.close();
    await provider.close();
  });
  async function signedIn(id: string): Promise<Browser> {
    const browser = createBrowser(server.origin);
    await browser.signIn(`/api/auth/login/${id}?returnTo=/page`);
    return browser;
  }
  return { auth, provider, events, origin: server.origin, signedIn };
}

interface Shown {
  readonly identity: { readonly id: string; readonly sub: string; readonly connection: string };
}

async function identityIn(browser: Browser): Promise<Shown["identity"] | null> {
  const { text } = await browser.request("/_auth/session.json");
  return text === "" ? null : (JSON.parse(text) as Shown).identity;
}

const both = async ({ signedIn }: World) =>
  [await signedIn("default"), await signedIn("partner")] as const;

async function areIn(browsers: readonly Browser[]): Promise<readonly boolean[]> {
  return Promise.all(browsers.map(isSignedIn));
}

describe("two clients at one provider", () => {
  test("have the same users, with one identity [MX-043]", async () => {
    const world = await startOneIssuer();
    const identities = await Promise.all((await both(world)).map(identityIn));
    const [one, other] = identities;
    expect(identities.map((each) => each?.connection)).toEqual(["default", "partner"]);
    expect(other?.id).toBe(one?.id);
  });

  test("have sessions of their own: one response counts for its client alone [MX-026]", async () => {
    const { origin, events } = await startOneIssuer();
    const browser = createBrowser(origin);
    const { address } = await browser.untilCallback("/api/auth/login/partner");
    const moved = address.replace("/callback/partner?", "/callback?");
    expect((await browser.request(moved)).status).toBe(400);
    expect(events.at(-1)).toMatchObject({ reason: "connection_mismatch" });
    // The code of one client, with the sign-in of the other.
    const own = new URL((await browser.untilCallback("/api/auth/login/default")).address);
    own.searchParams.set("code", new URL(address).searchParams.get("code") ?? "");
    expect((await browser.request(own.href)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.request(address)).status).toBe(302);
    expect((await identityIn(browser))?.connection).toBe("partner");
  });

  test.each([
    ["own", { own: "", partner: "/partner" }, [204, 204], [false, false]],
    ["each other's", { own: "/partner", partner: "" }, [400, 400], [true, true]],
  ] as const)(
    "end their own sessions by a logout token at %s address [MX-052]",
    async (_, places, statuses, areLeft) => {
      const world = await startOneIssuer({ places });
      const browsers = await both(world);
      const sub = (await identityIn(browsers[0]))?.sub ?? "";
      const deliveries = await world.provider.backchannelLogout({ sub });
      expect(deliveries.map(({ status }) => status)).toEqual(statuses);
      expect(await areIn(browsers)).toEqual(areLeft);
    },
  );

  test.each([true, false])(
    "lose all sessions of a user by the identity, and those of one by its name (stateful: %s) [MX-054]",
    async (stateful) => {
      const by = { operator: "grace" };
      const world = await startOneIssuer({ stateful });
      const browsers = await both(world);
      const { id = "", sub = "" } = (await identityIn(browsers[0])) ?? {};
      await expect(world.auth.endUser(sub, by)).rejects.toThrow("Name the connection");
      expect(await areIn(browsers)).toEqual([true, true]);
      await world.auth.endUser(sub, by, { connection: "partner" });
      expect(await areIn(browsers)).toEqual([true, false]);
      const again = await both(world);
      await world.auth.endUser({ id }, by);
      expect(await areIn([...browsers, ...again])).toEqual([false, false, false, false]);
    },
  );

  test("are chosen by the user if a third party names their issuer, or by client_id [MX-073]", async () => {
    const { origin, provider } = await startOneIssuer();
    const start = (more: object) => {
      const query = new URLSearchParams({ iss: provider.issuer, ...more });
      return createBrowser(origin).request(`/api/auth/login?${query}`, { headers: inTab });
    };
    expect(buttonsOf(await start({}))).toEqual(["default*", "partner"]);
    expect(buttonsOf(await start({ client_id: "partner" }))).toEqual(["partner*"]);
    expect((await start({ client_id: "stranger" })).status).toBe(400);
  });
});
