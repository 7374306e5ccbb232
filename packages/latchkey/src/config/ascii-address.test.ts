import { expect, test } from "vitest";

import { configOf } from "../../test/settings.ts";

test.each([
  ["https://app.example/日本/", "https://app.example/%E6%97%A5%E6%9C%AC"],
  ["https://App.Example:443/Shop", "https://app.example/Shop"],
  ["https://app.example.", "https://app.example"],
  ["http://localhost.:3000", "http://localhost:3000"],
  ["https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"],
  ["https://app.example/a b", "https://app.example/a%20b"],
  ["https://[::1]:8443/", "https://[::1]:8443"],
])("the base URL %s is read as %s", (baseURL, expected) => {
  expect(configOf({ baseURL }).baseURL).toBe(expected);
});

test.each([
  ["/日本", "/%E6%97%A5%E6%9C%AC"],
  ["/bye?name=ü#ä", "/bye?name=%C3%BC#%C3%A4"],
  ["/a\r\nb", "/ab"],
  ["https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"],
  ["https://App.Example:443", "https://App.Example:443"],
  ["/bye/../now", "/bye/../now"],
  ["", ""],
])("the page after logout %j is read as %j", (postLogoutRedirect, expected) => {
  const { routes } = configOf({ routes: { postLogoutRedirect } });
  expect(routes.postLogoutRedirect).toBe(expected);
});

test.each([
  ["bücher.example", "xn--bcher-kva.example"],
  [".bücher.example", ".xn--bcher-kva.example"],
])("the domain of cookies %s is read as %s", (domain, expected) => {
  const { session } = configOf({
    baseURL: "https://www.bücher.example",
    session: { cookie: { domain } },
  });
  expect(session.cookie.domain).toBe(expected);
});
