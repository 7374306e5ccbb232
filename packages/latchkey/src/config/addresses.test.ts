import { expect, test } from "vitest";

import { configOf } from "../../test/settings.ts";
import { appPath, homeURL, landingURL, loginURL, returnToRules } from "./addresses.ts";

const atRoot = configOf();
const inShop = configOf({ baseURL: "https://app.example/shop" });

test.each([
  [atRoot, "/cart", "/cart"],
  [atRoot, "//cart", "//cart"],
  [inShop, "/shop/cart", "/cart"],
  [inShop, "/shop", "/"],
  [inShop, "/cart", "/cart"],
  [inShop, "/shopping", "/shopping"],
])("a proxy may have taken the base path away: $baseURL, %s", (config, path, own) => {
  expect(appPath(config, path)).toBe(own);
});

test("the address of login names what it was given, and nothing else", () => {
  const login = "https://app.example/api/auth/login";
  expect(loginURL(atRoot)).toBe(login);
  expect(loginURL(atRoot, { returnTo: undefined })).toBe(login);
  expect(loginURL(atRoot, { returnTo: "/a?b=c&d", restart: "1" })).toBe(
    `${login}?returnTo=%2Fa%3Fb%3Dc%26d&restart=1`,
  );
});

test.each([
  ["/bye", "https://app.example/shop/bye"],
  ["https://www.example/bye", "https://www.example/bye"],
  ["http://www.example/bye", "http://www.example/bye"],
  ["/bye?to=https://www.example", "https://app.example/shop/bye?to=https://www.example"],
])("logout to %s lands at %s", (postLogoutRedirect, address) => {
  const routes = { postLogoutRedirect };
  expect(landingURL(configOf({ baseURL: "https://app.example/shop", routes }))).toBe(address);
});

test("home is the base URL with a slash", () => {
  expect(homeURL(inShop)).toBe("https://app.example/shop/");
});

test("no user is sent back to the auth routes, whatever the path of the app", () => {
  expect(returnToRules(inShop)).toEqual({
    baseURL: "https://app.example/shop",
    authPath: "/shop/api/auth",
    otherOrigins: [],
  });
});
