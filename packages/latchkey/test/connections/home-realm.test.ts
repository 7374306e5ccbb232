import { describe, expect, test } from "vitest";

import { lookUp } from "../../src/connections/index.ts";
import { callsOf, inTab, page, post, providerOf } from "./chooser-page.ts";
import { settingsAt, startTwoProviders } from "./two-providers.ts";

describe("an email address", () => {
  const domains = ["globex.example", "bücher.example"];

  test.each([
    "ada@globex.example",
    "Ada@GLOBEX.example",
    " ada@globex.example. ",
    "ada@bücher.example",
    "ada@xn--bcher-kva.example",
  ])(
    "%s leads to the connection of its domain, which gets it as a hint [MX-069, MX-070]",
    async (email) => {
      const world = await startTwoProviders({ globex: { domains, hidden: true } });
      const browser = world.browser();
      for (const address of ["/api/auth/login", page]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const begun = await post(browser, address, { email, returnTo: "/reports" });
        expect(providerOf(world, begun)).toBe("globex");
        expect(new URL(begun.location).searchParams.get("login_hint")).toBe(email.trim());
      }
    },
  );

  test("of an unknown domain has the same answer, whatever is known of it [MX-069]", async () => {
    const world = await startTwoProviders({ globex: { domains, hidden: true } });
    world.serve({
      connections: {
        globex: { ...settingsAt(world.second), domains, hidden: true },
        other: {
          ...settingsAt(world.second),
          clientID: "other",
          domains: ["other-host.example"],
          hosts: ["other.example.com"],
        },
      },
    });
    const browser = world.browser();
    const answers = await Promise.all(
      ["nobody.example.com", "sub.globex.example", "other-host.example", "lobex.example"].map(
        async (domain) => {
          const answer = await post(browser, "/api/auth/login", { email: `ada@${domain}` });
          const headers = [...answer.headers].filter(
            ([name]) => !["date", "content-length"].includes(name),
          );
          return [answer.status, headers, answer.text.replaceAll(domain, "…")];
        },
      ),
    );
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    const [status, , text] = answers[0] ?? [];
    expect(status).toBe(200);
    expect(text).toContain("We don't know ….");
    expect(text).toContain('value="ada@…"');
    expect(text).toContain("<title>Error: Sign in");
    expect(callsOf(world)).toBe(0);
  });

  test.each(["", "ada", "ada@", "@globex.example", "a b@globex.example"])(
    "written as “%s” is no address [MX-069]",
    async (email) => {
      const world = await startTwoProviders({ globex: { domains } });
      const answer = await post(world.browser(), page, { email });
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.text).toContain("Enter an email address, like name@example.com.");
    },
  );

  test("stands nowhere but in the hint: no address of ours, log, cookie or later page has it [MX-070]", async () => {
    const world = await startTwoProviders({ globex: { domains, hidden: true } });
    const browser = world.browser();
    for (const email of ["secret.ada@globex.example", "secret.ada@unknown.example"]) {
      for (const address of ["/api/auth/login", page]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const answer = await post(browser, address, { email, returnTo: "/a" }, inTab);
        expect(answer.headers.getSetCookie().join()).not.toContain("secret.ada");
        expect(answer.url.href).not.toContain("secret.ada");
      }
    }
    expect(JSON.stringify(world.events)).not.toContain("secret.ada");
    const kept = await browser.request(page);
    expect(kept.text).not.toContain("secret.ada");
  });

  test("is not taken where no connection has a domain, nor put into an address", async () => {
    const world = await startTwoProviders();
    const answer = await post(world.browser(), "/api/auth/login", { email: "ada@globex.example" });
    expect(answer.location).toBe(`${world.baseURL}${page}`);
  });
});

test("a domain is looked up once, as a whole, and its connection begins [MX-069]", async () => {
  const world = await startTwoProviders();
  const looked: string[] = [];
  const connections = lookUp({
    byID: (id) => (id === "acme" ? settingsAt(world.second) : null),
    byDomain(domain) {
      looked.push(domain);
      return domain === "acme.example" ? "acme" : null;
    },
    issuers: () => true,
  });
  world.serve({ connections });
  const browser = world.browser();
  const login = await browser.request("/api/auth/login");
  const shown = await browser.request(login.location);
  expect(shown.text).toContain("Work email");
  const begun = await post(browser, page, { email: "ada@ACME.example" });
  expect(providerOf(world, begun)).toBe("globex");
  const unknown = await post(browser, page, { email: "ada@unknown.example" });
  expect(unknown.text).toContain("We don't know unknown.example.");
  expect(looked).toEqual(["acme.example", "unknown.example"]);
});
