import { describe, expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { goodSettings } from "../../test/settings.ts";
import { createAuth, type Options } from "../host/auth.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";

async function world(more: Partial<Options> = {}) {
  const events: LogEvent[] = [];
  const issuer = goodSettings.issuerBaseURL;
  const revoked: (string | null)[] = [];
  const options: Options = {
    ...goodSettings,
    publicPaths: ["/"],
    production: false,
    store: memoryStore(),
    session: { stateful: true },
    log: (event) => void events.push(event),
    async fetch(address, { body }) {
      if (body instanceof URLSearchParams) revoked.push(body.get("token"));
      return address.endsWith("/revoke")
        ? new Response(null)
        : Response.json({ ...metadataOf(issuer), revocation_endpoint: `${issuer}/revoke` });
    },
    ...more,
  };
  const auth = createAuth(options);
  const signIn = (sub: string) =>
    signedInCookies({ options, session: { user: { sub }, refreshToken: `rt-${sub}` } });
  return {
    auth,
    events,
    revoked,
    signIn,
    async isIn(cookie: string): Promise<boolean> {
      let isIn = false;
      const request = new Request(goodSettings.baseURL, { headers: { cookie } });
      await handleRequest(auth, request, ({ session }) => void (isIn = session !== null));
      return isIn;
    },
  };
}

describe("an operator ends all sessions of a person [OP-098]", () => {
  test.each([
    [undefined, { operator: "grace" }],
    ["", { operator: "grace" }],
    ["ada", undefined],
    ["ada", {}],
    ["ada", { operator: "" }],
  ])("must name the user, %j, and the operator, %j", async (sub, by) => {
    const { auth, events } = await world();
    const endUser = auth.endUser as (...given: readonly unknown[]) => Promise<unknown>;
    await expect(endUser(sub, by)).rejects.toThrow("Name the person");
    expect(events).toEqual([]);
  });

  test.each([true, false])(
    "wherever they live, and none of other users (stateful: %s)",
    async (stateful) => {
      const { auth, signIn, isIn } = await world({ session: { stateful } });
      const [one, other, ben] = [await signIn("ada"), await signIn("ada"), await signIn("ben")];
      // A sign-in of the very millisecond of the mark is a later one.
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(await auth.endUser("ada", { operator: "grace" })).toBe(stateful ? 2 : null);
      expect([await isIn(one), await isIn(other), await isIn(ben)]).toEqual([false, false, true]);
      expect(await isIn(await signIn("ada"))).toBe(true);
    },
  );

  test("the log names the operator, on one line, and the tokens are revoked", async () => {
    const { auth, signIn, events, revoked } = await world();
    await signIn("ada");
    await auth.endUser("ada", { operator: `grace\nevent ${"x".repeat(200)}` });
    const event = events.find(({ event: name }) => name === "sign-out");
    expect(event).toMatchObject({ reason: "operator", sub: "ada" });
    expect(event).toHaveProperty("cause", `grace event ${"x".repeat(88)}`);
    await expect.poll(() => revoked).toEqual(["rt-ada"]);
  });

  test("a user without a session is ended, too: a sign-in under way does not survive", async () => {
    const { auth } = await world();
    expect(await auth.endUser("nobody", { operator: "grace" })).toBe(0);
  });

  test("without a store it says what is missing", async () => {
    const { auth } = await world({ store: undefined, session: { stateful: false } });
    await expect(auth.endUser("ada", { operator: "grace" })).rejects.toMatchObject({
      faults: [
        {
          option: "store",
          variable: "LATCHKEY_STORE",
          message: "is needed to remember whose sessions have ended",
          remedy: expect.stringContaining("LATCHKEY_STORE=sqlite:") as string,
        },
      ],
    });
  });
});

describe("with several clients", () => {
  const acme = {
    issuerBaseURL: "https://acme.example",
    clientID: "acme",
    clientSecret: "secret-a",
  };
  const several = { identity: "issuer+sub", connections: { acme } } as const;
  const by = { operator: "grace" };

  test.each([undefined, "unknown", "Acme", ""])(
    "the user of the connection %j is none [MX-054]",
    async (connection) => {
      const { auth, events } = await world(several);
      await expect(auth.endUser("ada", by, { connection })).rejects.toThrow(
        "Name the connection of the person: endUser(sub, by, { connection }), one of default, acme. Or end the sessions of an identity: endUser({ id }, by).",
      );
      expect(events).toEqual([]);
    },
  );

  test("a user of one connection is no user of another one [MX-053, MX-054]", async () => {
    const { auth, events, signIn, isIn } = await world(several);
    const ada = await signIn("ada");
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(await auth.endUser("ada", by, { connection: "acme" })).toBe(0);
    expect(await isIn(ada)).toBe(true);
    expect(await auth.endUser("ada", by, { connection: "default" })).toBe(1);
    expect(await isIn(ada)).toBe(false);
    const ends = events.filter(({ event }) => event === "sign-out");
    expect(ends.slice(0, 2)).toMatchObject([
      { reason: "operator", sub: "ada", connection: "acme" },
      { reason: "operator", sub: "ada", connection: "default" },
    ]);
  });

  test("no connection has to be named if all of them use one client [MX-054]", async () => {
    const beta = { uses: "default", organization: "org_beta" };
    const { auth } = await world({ connections: { beta } });
    expect(await auth.endUser("ada", by)).toBe(0);
  });

  test.each([
    ["default", by],
    ["Acme", by],
    ["", by],
    ["acme", undefined],
    ["acme", { operator: "" }],
  ])("the sessions of %j are not ended by %j [MX-012]", async (id, operator) => {
    const { auth } = await world(several);
    const endConnection = auth.endConnection as (...given: readonly unknown[]) => Promise<unknown>;
    await expect(endConnection(id, operator)).rejects.toThrow("Name a connection beside default");
  });
});
