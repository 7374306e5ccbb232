import { type RunningProvider, startCustomers, startProvider } from "@latchkey/provider";
import { expect, onTestFinished, test } from "vitest";

import { createBrowser } from "../browser/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { codeOf, startSample } from "./start-sample.ts";

/** The lines of a sample for sign-in. */
function linesOfSignIn(code: string): readonly string[] {
  return code.split("\n").filter((line) => /latchkey|auth(?:\.ready|FromEnvironment)/i.test(line));
}

async function startWithProvider(code: string): Promise<string> {
  const origin = `http://localhost:${await freePort()}`;
  const provider = await startProvider({ appURL: origin });
  onTestFinished(() => provider.close());
  await startSample(code, origin, variablesOf(provider));
  return origin;
}

function variablesOf({ issuer, clients: [client] }: RunningProvider) {
  return {
    LATCHKEY_ISSUER_BASE_URL: issuer,
    LATCHKEY_CLIENT_ID: client?.id,
    LATCHKEY_CLIENT_SECRET: client?.secret,
  };
}

test.each([
  "README.md",
  "docs/guides/express.md",
  "docs/guides/fastify.md",
  "docs/guides/koa.md",
  "docs/guides/node-http.md",
  "docs/guides/hono.md",
  "docs/guides/h3.md",
  "docs/guides/web-standard.md",
])(
  "the sample of %s signs a person in as it stands, with at most six lines for it [AD-047]",
  async (page) => {
    const code = codeOf(page);
    expect(linesOfSignIn(code).length).toBeLessThanOrEqual(6);
    const origin = await startWithProvider(code);
    const landed = await createBrowser(origin).signIn(`${origin}/hello`);
    expect([landed.url.pathname, landed.status, landed.text]).toEqual([
      "/hello",
      200,
      "Hello Ada Okafor",
    ]);
  },
);

test("the sample with several providers signs a person in at each of them as it stands [MX-102]", async () => {
  const origin = `http://localhost:${await freePort()}`;
  const provider = await startCustomers(["acme", "globex"], { appURL: origin });
  onTestFinished(() => provider.close());
  await startSample(codeOf("docs/guides/several-providers.md"), origin, provider.variables);
  const greetings = await Promise.all(
    ["acme", "globex"].map(async (id) => {
      const address = `${origin}/api/auth/login/${id}?returnTo=%2Fhello`;
      const landed = await createBrowser(origin).signIn(address, "person-1");
      return [landed.url.pathname, landed.text];
    }),
  );
  expect(greetings).toEqual([
    ["/hello", expect.stringMatching(/^Hello /)],
    ["/hello", expect.stringMatching(/^Hello /)],
  ]);
  expect(greetings[0]).not.toEqual(greetings[1]);
  const acme = provider.customers.acme.requests.filter(({ path }) => path.endsWith("/token"));
  expect(acme).toHaveLength(1);
});
