import { expect, test } from "vitest";

import { deviceScope } from "./device-scope.ts";

const config = {
  origin: "https://app.example",
  basePath: "",
  pagesPrefix: "/_auth",
  publicPaths: [],
};
const pathsOf = (change: object, pages = {}) =>
  deviceScope({ ...config, ...change }, pages).scope_specification.map(({ path }) => path);

test("built files that every visitor may load are left out of the scope [DB-017]", () => {
  const publicPaths = ["/", "/about", "/assets/", "/_app/immutable/", "/blog/"];
  expect(pathsOf({ publicPaths }, { files: "/assets" })).toEqual([
    "/favicon.ico",
    "/_next/static",
    "/_auth/assets",
    "/assets",
    "/_app/immutable",
  ]);
});

test("neither a folder behind sign-in nor a page is left out [DB-017]", () => {
  expect(pathsOf({ publicPaths: ["/static", "/blog/", "/"] })).toEqual([
    "/favicon.ico",
    "/_next/static",
  ]);
});

test("the rules name the host of the app, and are below its base path, at most twenty [DB-017]", () => {
  const publicPaths = Array.from({ length: 30 }, (_, place) => `/${place}/static/`);
  const { scope_specification: rules } = deviceScope(
    { ...config, origin: "https://app.example:8443", basePath: "/shop", publicPaths },
    {},
  );
  expect(rules).toHaveLength(20);
  expect(rules[0]).toEqual({ type: "exclude", domain: "app.example", path: "/shop/favicon.ico" });
});
