import { createHash } from "node:crypto";
import { expect, test } from "vitest";

import { several, severalSites } from "../../test/sessions/several-sites.ts";
import { activeSession } from "../session/read-session.ts";
import type { Identity } from "../config/identity.ts";
import { identityOfPrincipal } from "./principal.ts";
import { principalOfSession } from "./principal.ts";

type World = ReturnType<typeof severalSites>;

async function identityIn(
  world: World,
  at: "primary" | "other" = "primary",
  connection = "default",
  user: { readonly sub: string; readonly [claim: string]: unknown } = { sub: "ada" },
): Promise<Identity | null> {
  const context = world[at];
  const jar = await world.signIn(context, connection, { user });
  const stored = activeSession(await world.ask(context, jar).read());
  return stored && identityOfPrincipal(principalOfSession(stored, context));
}

test.each([
  ["default", "ada", "NONBc2uruvbXx0vVulY4OIEEgo1_CGEVFZUCm_LrURA"],
  ["acme", "ada", "211HTBv33x9OloqS_jXT6dVQQX99ELYqtuXk2mD0aN8"],
  ["default", "Ünï \u{1f511}", "1VcSOnECMnM1XieP6IdjKMg5S8lP38wKddfi7nyHXsU"],
])(
  "the identity of the user at %s with the sub %s is a fixed one [MX-043]",
  async (id, sub, hash) => {
    const world = severalSites();
    const { issuer } = (await world.primary.connections.byID(id))?.registration ?? { issuer: "" };
    const expected = { issuer, sub, connection: id, id: hash };
    expect(await identityIn(world, "primary", id, { sub })).toEqual(expected);
    const text = JSON.stringify([issuer, sub]);
    expect(createHash("sha256").update(text).digest("base64url")).toBe(hash);
  },
);

test("the id is the same with another client, secret, host or name of the connection [MX-043]", async () => {
  const here = await identityIn(severalSites(), "primary", "acme");
  const { acme } = several.connections;
  const changes = [
    { secret: "another-secret-0123456789abcdef-0123" },
    { connections: { acme: { ...acme, clientID: "another" } } },
    { baseURL: "https://elsewhere.example" },
  ];
  for (const change of changes) {
    const world = severalSites({ settings: { ...several, ...change } });
    expect((await identityIn(world, "primary", "acme"))?.id).toBe(here?.id);
    expect((await identityIn(world, "other", "acme"))?.id).toBe(here?.id);
  }
  const renamed = severalSites({ settings: { ...several, connections: { other: acme } } });
  expect(await identityIn(renamed, "primary", "other")).toMatchObject({
    id: here?.id,
    connection: "other",
  });
});

test("users of another issuer have other ids, and those of one provider with two connections the same [MX-043]", async () => {
  const world = severalSites();
  const [ofDefault, ofBeta, ofAcme] = await Promise.all(
    ["default", "beta", "acme"].map((id) => identityIn(world, "primary", id)),
  );
  expect(ofBeta?.id).toBe(ofDefault?.id);
  expect(ofAcme?.id).not.toBe(ofDefault?.id);
});

test("the issuer of a user of many tenants is that of the tenant [MX-043]", async () => {
  const settings = {
    ...several,
    connections: {
      entra: {
        issuerBaseURL: "https://login.microsoftonline.com/organizations/v2.0",
        tenants: ["any"],
        clientID: "c",
        clientSecret: "s",
      },
    },
  };
  const world = severalSites({ settings });
  const identities = await Promise.all(
    ["t-1", "t-2"].map((tid) => identityIn(world, "primary", "entra", { sub: "ada", tid })),
  );
  expect(identities.map((each) => each?.issuer)).toEqual([
    "https://login.microsoftonline.com/t-1/v2.0",
    "https://login.microsoftonline.com/t-2/v2.0",
  ]);
  expect(new Set(identities.map((each) => each?.id)).size).toBe(2);
});

test("a token without a sub has no identity", () => {
  const claims = { iss: "https://op.example" } as never;
  const principal = { issuer: "https://op.example", connection: null, claims } as never;
  expect(identityOfPrincipal(principal)).toBeNull();
});
