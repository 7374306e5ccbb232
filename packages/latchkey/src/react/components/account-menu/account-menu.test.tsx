// @vitest-environment happy-dom
import { act, fireEvent, render, within } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  AccountMenu,
  RequestError,
  SignInTestProvider,
  type SessionActions,
  type SessionState,
} from "../../index.ts";
import { leaveNothing, setOnline, show, type View } from "../../support/render.support.tsx";
import { ada } from "../../support/server.support.ts";
import { UNKNOWN_TIMES } from "../../client/session-times.ts";

afterEach(leaveNothing);

function menuIn(session: SessionState, actions: Partial<SessionActions> = {}): View {
  const { container } = render(
    <SignInTestProvider session={session} actions={actions}>
      <AccountMenu accountHref="/account" devicesHref="/devices">
        <li>
          <a href="/billing">Billing</a>
        </li>
      </AccountMenu>
    </SignInTestProvider>,
  );
  return within(container);
}

const signedIn: SessionState = {
  status: "signed-in",
  user: ada,
  times: UNKNOWN_TIMES,
  stale: false,
};

describe("AccountMenu", () => {
  test("it adds the class of the app to its own, and an absent one changes nothing", () => {
    for (const [className, whole] of [
      ["mine", "lk-menu mine"],
      [undefined, "lk-menu"],
    ] as const) {
      const { container } = render(
        <SignInTestProvider session={signedIn}>
          <AccountMenu className={className} />
        </SignInTestProvider>,
      );
      expect(container.querySelector("details")?.className).toBe(whole);
    }
  });

  test("while the status is loading it is an empty circle, skipped by screen readers", () => {
    const { container } = render(
      <SignInTestProvider session={{ status: "loading", user: null }}>
        <AccountMenu />
      </SignInTestProvider>,
    );
    expect(container.innerHTML).toBe(
      '<span class="lk-menu lk-avatar lk-waiting" aria-hidden="true"></span>',
    );
  });

  test("it is a link to sign in for a signed-out user", () => {
    const view = menuIn({ status: "signed-out", user: null });
    expect(view.getByRole("link").textContent).toBe("Sign in");
  });

  test("it is a link to sign in again when the session has ended", () => {
    const view = menuIn({ status: "signed-out", user: null, ended: "idle" });
    expect(view.getByRole("link").textContent).toBe("Sign in again");
  });

  test("it offers to try again after a failed request", () => {
    const refetch = vi.fn<SessionActions["refetch"]>(() => Promise.resolve(true));
    const error = new RequestError("x", 500);
    const view = menuIn({ status: "loading", user: null, error }, { refetch });
    const button = view.getByRole("button", {
      name: "We couldn't check who is signed in. Try again",
    });
    fireEvent.click(button);
    expect(refetch).toHaveBeenCalledTimes(1);
  });

  test('it shows initials, name, email address, organization, links and "Sign out"', () => {
    const user = { ...ada, org_id: "org_1", org_name: "Analytical Engines" };
    const org = { id: "org_1", name: "Analytical Engines" };
    const view = menuIn({ ...signedIn, user, org });
    const [, summary] = parts(view);
    expect(nameOf(summary)).toBe("Account menu, Ada Lovelace");
    expect(summary.textContent).toBe("AL");
    fireEvent.click(summary);
    expect(view.getByText("ada@example.test")).toBeDefined();
    expect(view.getByText("Analytical Engines")).toBeDefined();
    const links = view.getAllByRole("link").map((link) => link.textContent);
    expect(links).toEqual(["Your account", "Signed-in devices", "Billing"]);
    const form = view.getByRole("button", { name: "Sign out" }).closest("form");
    expect(form?.getAttribute("action")).toBe("/api/auth/logout");
    expect(form?.method).toBe("post");
  });

  test("of several connections it names the one of the user, and no organization by an id", () => {
    const named = { ...signedIn, connection: "acme", label: "Acme" };
    const textOf = (session: SessionState) => parts(menuIn(session))[0].textContent;
    const org = { id: "org_1", name: "Analytical Engines" };
    expect(textOf({ ...named, org })).toContain("Analytical Engines · Acme");
    leaveNothing();
    expect(textOf({ ...named, org: { id: "org_1" } })).toMatch(/@example\.test Acme/);
    leaveNothing();
    expect(textOf({ ...signedIn, org: { id: "org_1" } })).toContain("org_1");
  });

  test("it links to no page that the app has not named", () => {
    const { view } = show(<AccountMenu />);
    expect(view.queryAllByRole("link")).toEqual([]);
    expect(view.getByRole("button", { name: "Sign out" })).toBeDefined();
  });

  test.each<[string, unknown]>([
    ["a number", 7],
    ["an object", { en: "Ada" }],
    ["a list", ["Ada"]],
  ])("a claim that is %s instead of a text is skipped", (_, odd) => {
    const named = {
      name: odd,
      nickname: odd,
      email: odd,
      picture: odd,
      org_id: "o",
      org_name: odd,
    };
    const user = { sub: "person-ada", ...named } as Record<string, unknown> & { sub: string };
    const { view } = show(<AccountMenu picture />, { initialSession: { user } });
    const [details, summary] = parts(view);
    expect(nameOf(summary)).toBe("Account menu, person-ada");
    expect(summary.textContent).toBe("P");
    expect(details.textContent).toMatch(/person-ada\s+o/);
  });

  test("it works without scripts and without inline styles, on a details element", () => {
    const html = renderToStaticMarkup(
      <SignInTestProvider session={signedIn}>
        <AccountMenu />
      </SignInTestProvider>,
    );
    expect(html).toMatch(
      /^<details class="lk-menu"><summary class="lk-trigger"><span role="img" aria-label="Account menu, Ada/,
    );
    expect(html).not.toContain("style=");
  });

  test("Escape closes it and returns the focus to its button", () => {
    const view = menuIn(signedIn);
    const [details, summary] = parts(view);
    details.open = true;
    const link = view.getByRole("link", { name: "Billing" });
    link.focus();
    fireEvent.keyDown(link, { key: "Escape" });
    expect(details.open).toBe(false);
    expect(document.activeElement).toBe(summary);
  });

  test("a press elsewhere closes it, and so does moving the focus", () => {
    const view = menuIn(signedIn);
    const [details] = parts(view);
    details.open = true;
    fireEvent.pointerDown(view.getByRole("link", { name: "Billing" }));
    expect(details.open).toBe(true);
    fireEvent.pointerDown(document.body);
    expect(details.open).toBe(false);
    details.open = true;
    fireEvent.blur(view.getByRole("link", { name: "Billing" }), { relatedTarget: null });
    expect(details.open).toBe(true);
    const elsewhere = document.body.appendChild(document.createElement("button"));
    fireEvent.focusOut(view.getByRole("link", { name: "Billing" }), { relatedTarget: elsewhere });
    expect(details.open).toBe(false);
    elsewhere.remove();
  });

  test("its name and a line in it report the near end of the session", async () => {
    const { view, pass } = show(<AccountMenu />, {
      before: ({ server }) => (server.rolling = 1_800),
    });
    expect(view.getByLabelText("Account menu, Ada Lovelace")).toBeDefined();
    await pass(1_625_000);
    expect(view.getByLabelText("Account menu, Ada Lovelace, Signing out soon")).toBeDefined();
    expect(view.getByText("Signing out soon")).toBeDefined();
  });

  test("its name says when the device is offline", () => {
    const view = menuIn(signedIn);
    act(() => setOnline(false));
    expect(view.getByLabelText("Account menu, Ada Lovelace, Offline")).toBeDefined();
    act(() => setOnline(true));
    expect(view.getByLabelText("Account menu, Ada Lovelace")).toBeDefined();
  });
});

/** A button is named by the pictures inside. */
function nameOf(summary: HTMLElement): string | null | undefined {
  return summary.querySelector("[role=img]")?.getAttribute("aria-label");
}

function parts(view: View): [HTMLDetailsElement, HTMLElement] {
  const summary = view.getByLabelText(/^Account menu/).closest("summary");
  const details = summary?.closest("details");
  if (!summary || !details) throw new Error("no details");
  return [details, summary];
}

describe("the picture", () => {
  const user = { ...ada, picture: "https://img.example.test/ada.png" };
  const menu = (picture: boolean | readonly string[]) => (
    <SignInTestProvider session={{ ...signedIn, user }}>
      <AccountMenu picture={picture} />
    </SignInTestProvider>
  );

  test("it is not loaded unless the app wants it", () => {
    expect(renderToStaticMarkup(menu(false))).not.toContain("<img");
  });

  test("its address is written only for origins allowed by the app", () => {
    expect(renderToStaticMarkup(menu(["https://img.example.test"]))).toContain("<img");
    expect(renderToStaticMarkup(menu(["https://other.example.test"]))).not.toContain("<img");
    expect(renderToStaticMarkup(menu([]))).not.toContain("img.example.test");
  });

  test("it sends no referrer, and initials replace it when it does not load", () => {
    const { container } = render(menu(true));
    const image = container.querySelector("img");
    expect(image?.getAttribute("referrerpolicy")).toBe("no-referrer");
    expect(image?.alt).toBe("");
    if (image) fireEvent.error(image);
    expect(image?.hidden).toBe(true);
    expect(container.querySelector(".lk-avatar")?.textContent).toBe("AL");
  });
});
