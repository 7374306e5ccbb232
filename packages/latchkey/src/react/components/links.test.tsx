// @vitest-environment happy-dom
import { fireEvent } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SignedIn, SignInLink, SignInProvider, SignOutButton } from "../index.ts";
import { leaveNothing, show } from "../support/render.support.tsx";

afterEach(leaveNothing);

describe("SignInLink", () => {
  test("it is a plain link to the login route before and without scripts", () => {
    const html = renderToStaticMarkup(
      <SignInProvider initialSession={null} basePath="/app">
        <SignInLink />
      </SignInProvider>,
    );
    expect(html).toBe(
      '<a class="lk-button lk-primary" rel="nofollow" href="/app/api/auth/login">Sign in</a>',
    );
  });

  test.each(["click", "auxclick", "contextmenu"])(
    "on %s it leads back to the page with its query and fragment at that moment",
    (name) => {
      const { view } = show(<SignInLink />, { initialSession: null });
      history.replaceState(null, "", "/orders/7?tab=a b&x=1#bottom");
      const link = view.getByRole<HTMLAnchorElement>("link", { name: "Sign in" });
      const event = new MouseEvent(name, { bubbles: true, cancelable: true });
      event.preventDefault();
      fireEvent(link, event);
      const url = new URL(link.href, "http://localhost");
      expect(url.pathname).toBe("/api/auth/login");
      expect(url.searchParams.get("returnTo")).toBe("/orders/7?tab=a%20b&x=1#bottom");
    },
  );

  test("on a page of the server it leads back there", () => {
    const { view } = show(<SignInLink />, { initialSession: null });
    history.replaceState(null, "", "/_auth/devices?page=2");
    const link = view.getByRole<HTMLAnchorElement>("link");
    link.addEventListener("click", (event) => event.preventDefault());
    fireEvent.click(link);
    expect(link.getAttribute("href")).toBe(
      "/api/auth/login?returnTo=%2F_auth%2Fdevices%3Fpage%3D2",
    );
  });

  test("after logout it leads to the home page", () => {
    const { view } = show(<SignInLink />, { initialSession: null });
    history.replaceState(null, "", "/_auth/signed-out?provider=still");
    const link = view.getByRole<HTMLAnchorElement>("link");
    link.addEventListener("click", (event) => event.preventDefault());
    fireEvent.click(link);
    expect(link.getAttribute("href")).toBe("/api/auth/login");
  });

  test("it takes returnTo, chooseAccount, attributes and a text of its own", () => {
    const onClick = vi.fn<() => void>();
    const { view } = show(
      <SignInLink returnTo="/start?a=1" chooseAccount className="mine" onClick={onClick}>
        Come in
      </SignInLink>,
      { initialSession: null },
    );
    const link = view.getByRole<HTMLAnchorElement>("link", { name: "Come in" });
    link.addEventListener("click", (event) => event.preventDefault());
    fireEvent.click(link);
    expect(link.className).toBe("lk-button lk-primary mine");
    expect(link.getAttribute("href")).toBe(
      "/api/auth/login?returnTo=%2Fstart%3Fa%3D1&prompt=select_account",
    );
    expect(onClick).toHaveBeenCalledTimes(1);
  });
});

test("a SignInLink with parameters has them before and after a click, and no such attribute", () => {
  const { view } = show(<SignInLink params={{ screen_hint: "signup" }}>Sign up</SignInLink>, {
    initialSession: null,
  });
  history.replaceState(null, "", "/orders");
  const link = view.getByRole<HTMLAnchorElement>("link", { name: "Sign up" });
  expect(link.getAttribute("href")).toBe("/api/auth/login?screen_hint=signup");
  expect(link.hasAttribute("params")).toBe(false);
  link.addEventListener("click", (event) => event.preventDefault());
  fireEvent.click(link);
  expect(link.getAttribute("href")).toBe("/api/auth/login?screen_hint=signup&returnTo=%2Forders");
});

test("a SignInLink to a connection leads there before and after a click", () => {
  const link = <SignInLink connection="acme">Sign in with Acme</SignInLink>;
  const { view } = show(link, { initialSession: null });
  history.replaceState(null, "", "/orders");
  const shown = view.getByRole<HTMLAnchorElement>("link", { name: "Sign in with Acme" });
  expect(shown.getAttribute("href")).toBe("/api/auth/login/acme");
  expect(shown.hasAttribute("connection")).toBe(false);
  shown.addEventListener("click", (event) => event.preventDefault());
  fireEvent.click(shown);
  expect(shown.getAttribute("href")).toBe("/api/auth/login/acme?returnTo=%2Forders");
});

test("a SignInLink for a shared computer says so before and after a click, and has no such attribute", () => {
  const { view } = show(<SignInLink shared />, { initialSession: null });
  history.replaceState(null, "", "/orders");
  const link = view.getByRole<HTMLAnchorElement>("link");
  expect(link.getAttribute("href")).toBe("/api/auth/login?shared=1");
  expect(link.hasAttribute("shared")).toBe(false);
  link.addEventListener("click", (event) => event.preventDefault());
  fireEvent.click(link);
  expect(link.getAttribute("href")).toBe("/api/auth/login?returnTo=%2Forders&shared=1");
});

describe("SignOutButton", () => {
  test.each([
    ["mine", "lk-button mine"],
    [undefined, "lk-button"],
  ])(
    "it adds the class of the app to its own, and an absent one changes nothing: %s",
    (given, whole) => {
      const { view } = show(<SignOutButton className={given} />);
      expect(view.getByRole("button").className).toBe(whole);
    },
  );

  test("it is a form posting to the logout route, without scripts too", () => {
    const html = renderToStaticMarkup(
      <SignInProvider initialSession={null}>
        <SignOutButton />
      </SignInProvider>,
    );
    expect(html).toContain('method="post"');
    expect(html).toContain('action="/api/auth/logout"');
    expect(html).toContain('<button class="lk-button" type="submit">Sign out</button></form>');
  });

  test("for all devices it posts to the logout route with devices=all", () => {
    const html = renderToStaticMarkup(
      <SignInProvider initialSession={null}>
        <SignOutButton devices="all" />
      </SignInProvider>,
    );
    expect(html).toContain('action="/api/auth/logout?devices=all"');
    expect(html).toContain("Sign out on all devices</button>");
  });

  test("it informs the other tabs of the sign-out", async () => {
    const { view, browser, pass } = show(
      <SignedIn>
        <SignOutButton>Leave</SignOutButton>
      </SignedIn>,
    );
    const other = browser.open(browser.server.initialSession());
    browser.server.session = null;
    const button = view.getByRole("button", { name: "Leave" });
    button.closest("form")?.addEventListener("submit", (event) => event.preventDefault());
    fireEvent.click(button);
    await pass(2_000);
    expect(other.client.getSnapshot().status).toBe("signed-out");
    other.close();
  });
});
