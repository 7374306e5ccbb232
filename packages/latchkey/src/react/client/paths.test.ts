import { expect, onTestFinished, test, vi } from "vitest";
import { currentReturnTo, loginURL, resolvePaths } from "./paths.ts";

const paths = resolvePaths("/app", undefined);

test("the login address has a query only if an option is set", () => {
  expect(loginURL(paths, {})).toBe("/app/api/auth/login");
  expect(loginURL(paths, { returnTo: "/a?b=c#d", chooseAccount: true })).toBe(
    "/app/api/auth/login?returnTo=%2Fa%3Fb%3Dc%23d&prompt=select_account",
  );
});

test("parameters for the provider are in the login address", () => {
  const params = { screen_hint: "signup", login_hint: "ada@example.com" };
  expect(loginURL(paths, { returnTo: "/a", params })).toBe(
    "/app/api/auth/login?screen_hint=signup&login_hint=ada%40example.com&returnTo=%2Fa",
  );
});

test("parameters for the provider replace neither the return address nor the choice of an account", () => {
  const params = { returnTo: "/b", prompt: "create" };
  expect(loginURL(paths, { returnTo: "/a", chooseAccount: true, params })).toBe(
    "/app/api/auth/login?returnTo=%2Fa&prompt=select_account",
  );
});

test("a server of another origin gets the whole address of the page to return to", () => {
  const elsewhere = resolvePaths("https://server.example.com", undefined);
  vi.stubGlobal("location", new URL("https://app.example.com/orders"));
  onTestFinished(() => void vi.unstubAllGlobals());
  const back = encodeURIComponent("https://app.example.com/orders?a=1");
  expect(loginURL(elsewhere, { returnTo: "/orders?a=1" })).toBe(
    `https://server.example.com/api/auth/login?returnTo=${back}`,
  );
  const same = resolvePaths("https://app.example.com", undefined);
  expect(loginURL(same, { returnTo: "/orders" })).toMatch(/returnTo=%2Forders$/);
});

test("a browser without URLSearchParams.size keeps the return address", () => {
  const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, "size");
  if (!size) throw new Error("This runtime has no URLSearchParams.size either.");
  Reflect.deleteProperty(URLSearchParams.prototype, "size");
  const url = loginURL(paths, { returnTo: "/orders" });
  Object.defineProperty(URLSearchParams.prototype, "size", size);
  expect(url).toBe("/app/api/auth/login?returnTo=%2Forders");
});

test("replaced paths stay as they are, and the session address follows the prefix of the pages", () => {
  expect(resolvePaths("/app", { me: "/who", pages: "/auth-pages" })).toEqual({
    login: "/app/api/auth/login",
    logout: "/app/api/auth/logout",
    me: "/who",
    session: "/auth-pages/session.json",
    events: "/auth-pages/session-events",
    pages: "/auth-pages",
  });
});

test.each([
  ["?tab=2", "#end", "/orders?tab=2#end"],
  ["?access_token=a&id_token=b&tab=2", "#refresh_token=c&x=1", "/orders?tab=2#x=1"],
  ["?tab=2&ACCESS_TOKEN=a", "", "/orders?tab=2&"],
  ["?my_access_token=a", "#token=b", "/orders?my_access_token=a#token=b"],
])("the current page %s%s is returned to without tokens", (search, hash, expected) => {
  vi.stubGlobal("location", { pathname: "/orders", search, hash });
  expect(currentReturnTo(paths)).toBe(expected);
  vi.unstubAllGlobals();
});
