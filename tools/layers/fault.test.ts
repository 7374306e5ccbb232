import { describe, expect, it, test } from "vitest";
import type { Workspace } from "../layers.ts";
import { faultOf, singleFilesBelowRoot } from "./fault.ts";

const library: Workspace = {
  root: "packages/library/src",
  rows: [["adapters", "react"], ["index.ts"], ["routes"], ["session", "oidc"], ["http"]],
  packages: [],
  dependencies: new Map([["jose", ["oidc", "http"]]]),
  node: /\.node\.ts$|^adapters\/node\.ts$/,
  typesOnly: { react: "react/ speaks HTTP only" },
};
const app: Workspace = {
  root: "app",
  rows: [["*.story.ts"], ["server/compose.ts"], ["gallery"], ["server"]],
  packages: ["latchkey"],
  outside: ["tools/start"],
};

function fault(file: string, specifier: string, typeOnly = false): string | undefined {
  return faultOf([library, app], file, { specifier, typeOnly });
}

describe("an import by path", () => {
  it.each([
    ["packages/library/src/routes/callback.ts", "../oidc/id-token.ts", "the next row"],
    ["packages/library/src/routes/callback.ts", "../http/form.ts", "a row further below"],
    ["packages/library/src/routes/callback.ts", "./login.ts", "the same part"],
    ["packages/library/src/adapters/node.ts", "../index.ts", "a file that is a part"],
    ["app/server/compose.ts", "../gallery/index.ts", "what lies between file and folder"],
    ["app/gallery/index.ts", "../server/render.ts", "the rest of a folder"],
    ["app/devices.story.ts", "../tools/start/ports.ts", "a listed place of another workspace"],
    ["somewhere/else.ts", "../app/server/compose.ts", "from a place without layers"],
  ])("is allowed from %s to %s: %s", (file, specifier) => {
    expect(fault(file, specifier)).toBeUndefined();
  });

  it.each([
    ["packages/library/src/oidc/provider.ts", "../routes/login.ts", "oidc lies below routes"],
    ["packages/library/src/routes/login.ts", "../index.ts", "routes lies below index.ts"],
    ["packages/library/src/session/seal.ts", "../oidc/jwt.ts", "session and oidc are siblings"],
    ["packages/library/src/utils/x.ts", "./y.ts", "utils/x.ts has no place"],
    ["packages/library/src/routes/x.ts", "../utils/y.ts", "utils/y.ts has no place"],
    ["packages/library/src/index.ts", "../../other/x.ts", "lies outside packages/library/src"],
    ["app/gallery/index.ts", "../server/compose.ts", "gallery lies below server/compose.ts"],
    ["app/a.story.ts", "./b.story.ts", "a.story.ts and b.story.ts are siblings"],
    ["app/a.story.ts", "../tools/startled.ts", "tools/startled.ts lies outside app"],
  ])("is refused from %s to %s, even for types: %s", (file, specifier, reason) => {
    expect(fault(file, specifier)).toContain(reason);
    expect(fault(file, specifier, true)).toContain(reason);
  });

  it("may import only types from a part for HTTP", () => {
    const file = "packages/library/src/react/use-session.ts";
    expect(fault(file, "../index.ts", true)).toBeUndefined();
    expect(fault(file, "./client.ts")).toBeUndefined();
    expect(fault(file, "../http/headers.ts")).toContain("react/ speaks HTTP only");
  });
});

describe("an import by name", () => {
  it("is allowed for a dependency in its wrapping folder", () => {
    expect(fault("packages/library/src/oidc/id-token.ts", "jose")).toBeUndefined();
    expect(fault("packages/library/src/session/seal.ts", "jose")).toBe(
      "jose is imported in oidc/ and http/ only",
    );
  });

  it("is refused for a dependency outside of an existing list", () => {
    expect(fault("packages/library/src/http/form.ts", "lodash")).toBe(
      "packages/library/src does not depend on lodash",
    );
    expect(fault("app/server/render.ts", "lodash")).toBeUndefined();
  });

  it("is allowed for modules of Node in files with a name for it", () => {
    expect(fault("packages/library/src/oidc/tls.node.ts", "node:tls")).toBeUndefined();
    expect(fault("packages/library/src/adapters/node.ts", "node:http")).toBeUndefined();
    expect(fault("packages/library/src/oidc/tls.ts", "node:tls")).toContain("say so by name");
    expect(fault("app/server/render.ts", "node:tls")).toBeUndefined();
  });

  it("is allowed for the listed packages of this repository", () => {
    expect(fault("app/server/render.ts", "latchkey/node")).toBeUndefined();
    expect(fault("app/server/render.ts", "@latchkey/provider")).toContain("may not import");
    expect(fault("packages/library/src/index.ts", "latchkey")).toContain("may not import");
  });
});

test("a part of a workspace is a folder, or a file directly in its root", () => {
  expect(singleFilesBelowRoot(library)).toEqual([]);
  expect(singleFilesBelowRoot(app)).toEqual(["server/compose.ts"]);
});
