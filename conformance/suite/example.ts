import type { RequestAuth } from "latchkey";

/**
 * What the example applications of all hosts have in common: the README beside this folder
 * describes them.
 */

/** Cookies of the application, in forms which a careless merge would split or encode anew. */
export const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

/** Paths without a sign-in, beside the auth routes. */
export const publicPaths = [
  "/",
  "/cacheable",
  "/require",
  "/require-rule",
  "/sign-up",
  "/public/",
  "/assets/",
];

/** Pages of plain text, by their paths. */
export const textPages: Readonly<Record<string, (auth: RequestAuth) => string>> = {
  // A public page: the session is optional.
  "/": ({ user }) => `Hello ${user?.name ?? "stranger"}`,

  // A protected page: without a session the request does not come here.
  "/private": (auth) => `Private page of ${auth.require().user.name}`,

  // Public pages with their own checks.
  "/require": (auth) => `Member ${auth.require().user.name}`,
  "/require-rule": (auth) => {
    const { user } = auth.require((session) => session.user.sub === "person-ada");
    return `Editor ${user.name}`;
  },

  // A public page that leads to the provider's form for new users.
  "/sign-up": (auth) =>
    auth.login({ returnTo: "/private", params: { screen_hint: "signup", max_age: 600 } }),
};

/** The headers for caches of the page `/cacheable`, which do not count if the session was read. */
export const cacheable = {
  "Cache-Control": "public, max-age=600, immutable",
  Vary: "Accept-Encoding",
};

export function cacheableText(auth: RequestAuth, isRead: boolean): string {
  return `For ${(isRead ? auth.user?.name : "everybody") ?? "strangers"}`;
}

/** The person, with data of the app's own. */
export function profileOf(auth: RequestAuth): object {
  const { user, session } = auth.require();
  return { ...user, theme: session["theme"] };
}

/** Changes data of the app's own in the session, twice in one request. */
export async function updateTheme(auth: RequestAuth, theme: string): Promise<object> {
  await auth.update((session) => ({ ...session, theme: "none" }));
  const session = await auth.update((before) => ({ ...before, theme }));
  return { theme: session?.["theme"] };
}

/** Changes the session twice and refreshes its tokens, all at the same time. */
export async function changeSideBySide(auth: RequestAuth): Promise<void> {
  const adding = (letter: string) =>
    auth.update((session) => ({ ...session, theme: [session["theme"], letter].join("") }));
  await Promise.all([adding("a"), auth.accessToken({ refresh: true }), adding("b")]);
}

export async function signOutEverywhere(auth: RequestAuth): Promise<string> {
  await auth.endDevices("all");
  return "Signed out everywhere";
}

/** A response which changes the session after its head has left. */
export async function* lateUpdate(auth: RequestAuth): AsyncGenerator<string> {
  yield "begun, ";
  await pause(100);
  try {
    await auth.update((session) => ({ ...session, theme: "late" }));
    yield "updated";
  } catch (error) {
    yield `refused: ${String(error)}`;
  }
}

/** A response in parts. */
export const slowText = () => slowly(["one ", "two ", "three"]);

/** The same as server-sent events. */
export const slowEvents = () => slowly(["data: one\n\n", "data: two\n\n", "data: three\n\n"]);

export async function* slowly(parts: readonly string[]): AsyncGenerator<string> {
  for (const part of parts) {
    yield part;
    await pause(100);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
