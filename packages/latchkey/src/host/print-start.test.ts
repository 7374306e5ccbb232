import { expect, onTestFinished, test, vi } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { inspector } from "../inspector/index.ts";
import { relay } from "../relay/index.ts";
import { memoryStore } from "../stores/memory.ts";
import { createAuth, type Options } from "./auth.ts";

/** What the console shows of the start, after two requests. */
async function shown(options: Partial<Options>): Promise<readonly string[]> {
  const print = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => print.mockRestore());
  const auth = createAuth({ ...goodSettings, baseURL: "http://localhost:3000/shop", ...options });
  for (const path of ["/", "/orders"]) {
    const request = new Request(`http://localhost:3000/shop${path}`);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await auth.respond(request, () => new Response());
  }
  return print.mock.calls.map(String).filter((line) => line.startsWith("latchkey: "));
}

test("the first use in development prints the base URL and the two addresses to register, once", async () => {
  expect(await shown({ production: false })).toEqual([
    "latchkey: the app is http://localhost:3000/shop. Register at the provider: http://localhost:3000/shop/api/auth/callback (redirect URI) and http://localhost:3000/shop/_auth/signed-out (after logout).",
  ]);
});

test("the first use in development prints the address of the inspector, if there is one", async () => {
  const [line] = await shown({ production: false, inspector });
  expect(line).toMatch(
    / Sign-ins step by step: http:\/\/localhost:3000\/shop\/api\/auth\/inspector$/,
  );
});

test("the first use of a preview prints the redirect URI of its relay [MX-085]", async () => {
  const part = relay({ secret: "a-secret-of-the-relay-0123456789", url: "https://shop.example" });
  const [line] = await shown({ production: false, relay: part });
  expect(line).toContain(
    "https://shop.example/api/auth/callback (redirect URI) and http://localhost:3000/shop/_auth/signed-out",
  );
});

test.each([
  ["in production", { production: true }],
  ["into a log of the app", { production: false, log: () => undefined }],
])("the start prints nothing %s", async (_, options) => {
  expect(await shown(options)).toEqual([]);
});

const acme = {
  issuerBaseURL: "https://id.acme.example",
  clientID: "acme",
  clientSecret: "secret-of-acme",
};

test("the first use in development prints the addresses of each client [MX-013]", async () => {
  const lines = await shown({
    production: false,
    identity: "issuer+sub",
    store: memoryStore(),
    connections: {
      acme: { ...acme, backchannelLogout: true },
      beta: { uses: "acme" },
      globex: { ...acme, clientID: "globex", frontchannelLogout: true },
    },
  });
  const app = "http://localhost:3000/shop";
  expect(lines.slice(1)).toEqual([
    `latchkey: Register at the provider of acme, https://id.acme.example: ${app}/api/auth/callback/acme (redirect URI), ${app}/_auth/signed-out (after logout) and ${app}/api/auth/backchannel-logout/acme (logout tokens).`,
    `latchkey: Register at the provider of globex, https://id.acme.example: ${app}/api/auth/callback/globex (redirect URI), ${app}/_auth/signed-out (after logout) and ${app}/api/auth/frontchannel-logout/globex (front-channel logout).`,
  ]);
  expect(lines.join(" ")).not.toContain("secret-of-acme");
});

test("the console shows twenty clients of many [MX-013]", async () => {
  const many = Array.from({ length: 30 }, (_, nth) => [
    `c${nth}`,
    { ...acme, clientID: `c${nth}` },
  ]);
  const lines = await shown({
    production: false,
    identity: "issuer+sub",
    connections: Object.fromEntries(many),
  });
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toContain("10 more: latchkey doctor --connection <id>");
});
