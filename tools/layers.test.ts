import { describe, expect, it } from "vitest";
import { faultOf, importsOf } from "./layers.ts";

const engine = "packages/latchkey/src";

function fault(file: string, specifier: string, typeOnly = false): string | undefined {
  return faultOf(file, { specifier, typeOnly });
}

describe("the reader of imports", () => {
  it("finds imports, re-exports, side effects and dynamic imports, and what is erased", () => {
    const source = `
      import { a } from "./a.ts";
      import type { B } from "./b.ts";
      import { type C } from "./c.ts";
      import "./d.css";
      export * from "./e.ts";
      export type { F } from "./f.ts";
      const late = await import("./g.ts");
      // import { no } from "./no.ts";
      const text = 'import { no } from "./no.ts"';
    `;
    expect(importsOf("x.ts", source)).toEqual([
      { specifier: "./a.ts", typeOnly: false },
      { specifier: "./b.ts", typeOnly: true },
      { specifier: "./c.ts", typeOnly: true },
      { specifier: "./d.css", typeOnly: false },
      { specifier: "./e.ts", typeOnly: false },
      { specifier: "./f.ts", typeOnly: true },
      { specifier: "./g.ts", typeOnly: false },
    ]);
  });

  it("refuses a file that it cannot read", () => {
    expect(() => importsOf("x.ts", "import { from")).toThrow(SyntaxError);
  });
});

describe("the engine", () => {
  it.each([
    [`${engine}/routes/callback.ts`, "../oidc/id-token.ts"],
    [`${engine}/routes/callback.ts`, "../errors/refusal.ts"],
    [`${engine}/routes/callback.ts`, "./error-answer.ts"],
    [`${engine}/auth.ts`, "./routes/index.ts"],
    [`${engine}/index.ts`, "./auth.ts"],
    [`${engine}/config/environment.ts`, "../http/return-to.ts"],
    [`${engine}/crypto/keys.ts`, "#jwe"],
    [`${engine}/oidc/id-token.ts`, "jose"],
    [`${engine}/stores/sqlite.ts`, "node:sqlite"],
    [`${engine}/crypto/jwe.node.ts`, "node:crypto"],
  ])("lets %s import %s", (file, specifier) => {
    expect(fault(file, specifier)).toBeUndefined();
  });

  it.each([
    ["back", `${engine}/oidc/provider.ts`, "../routes/login.ts", "oidc lies below routes"],
    ["back", `${engine}/routes/login.ts`, "../auth.ts", "routes lies below auth.ts"],
    ["back", `${engine}/http/cookies.ts`, "../config/options.ts", "http lies below config"],
    [
      "across",
      `${engine}/session/visit.ts`,
      "../oidc/provider.ts",
      "session and oidc are siblings",
    ],
    ["across", `${engine}/crypto/keys.ts`, "../http/form.ts", "crypto and http are siblings"],
    ["nowhere", `${engine}/utils/x.ts`, "../errors/refusal.ts", "utils has no place"],
    ["outside", `${engine}/auth.ts`, "../../provider/src/index.ts", "lies outside the package"],
  ])("refuses an arrow that points %s: %s to %s", (_where, file, specifier, reason) => {
    expect(fault(file, specifier)).toContain(reason);
    expect(fault(file, specifier, true)).toContain(reason);
  });

  it("keeps protocol and JOSE libraries in oidc/ and crypto/", () => {
    expect(fault(`${engine}/session/session.ts`, "jose")).toBe(
      "jose is imported in oidc/ and crypto/ only",
    );
    expect(fault(`${engine}/routes/login.ts`, "oauth4webapi")).toContain("oidc/ and crypto/ only");
  });

  it("keeps Node out of files that do not say so by name", () => {
    expect(fault(`${engine}/crypto/keys.ts`, "node:crypto")).toContain("say so by name");
    expect(fault(`${engine}/adapters/hono.ts`, "node:http")).toContain("say so by name");
  });

  it("takes no dependency that is not listed", () => {
    expect(fault(`${engine}/http/cookies.ts`, "lodash")).toBe(
      "the engine does not depend on lodash",
    );
  });

  it("lets the React layer take types, and nothing else, from the rest", () => {
    expect(fault(`${engine}/react/use-session.ts`, "../index.ts", true)).toBeUndefined();
    expect(fault(`${engine}/react/use-session.ts`, "../http/headers.ts")).toContain("HTTP only");
    expect(fault(`${engine}/react/use-session.ts`, "./session-client.ts")).toBeUndefined();
  });
});

describe("the other workspaces", () => {
  it("lets the web application use public entry points only", () => {
    expect(fault("apps/web/src/server/main.ts", "latchkey/node")).toBeUndefined();
    expect(fault("apps/web/src/server/main.ts", "../components/page.tsx")).toBeUndefined();
    expect(
      fault("apps/web/src/server/main.ts", "../../../../packages/latchkey/src/auth.ts"),
    ).toContain("lies outside apps/web");
    expect(fault("apps/web/src/server/main.ts", "@latchkey/provider")).toContain("may not import");
  });

  it("keeps the provider free of latchkey", () => {
    expect(fault("packages/provider/src/main.ts", "oidc-provider")).toBeUndefined();
    expect(fault("packages/provider/src/main.ts", "latchkey/node")).toContain("may not import");
    expect(fault("packages/provider/src/main.ts", "../../latchkey/src/index.ts")).toContain(
      "lies outside packages/provider",
    );
  });
});
