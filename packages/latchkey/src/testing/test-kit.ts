import type { Auth } from "../host/auth.ts";
import { isLoopback } from "../config/rules/rule.ts";
import { grantedScope } from "../oidc/token-request.ts";
import { type Claims, type SessionData, storable } from "../session/session.ts";
import { type BrowserCookie, browserCookies } from "./browser-cookies.ts";
import { openPlace, type TestPlace } from "./place-of-test.ts";
import { refuseProduction } from "./refuse-production.ts";

/**
 * What became of a sign-in before the test begins.
 *
 * - `expired`: it has reached its absolute lifetime
 * - `after-25-hours`: it was last used 25 hours ago
 * - `ended`: it was signed out in another tab; needs a store that test and app share
 * - `refresh-refused`: its access token has expired, and the provider refuses the refresh token
 */
export type TestState = "expired" | "after-25-hours" | "ended" | "refresh-refused";

/** More of the session, where and with whom it was made, and what became of it. */
export interface TestSession extends TestPlace {
  /** Data of the session besides the user. An `accessToken` is good for an hour by default. */
  readonly data?: Omit<SessionData, "user">;
  /** Epoch seconds, for rules with `maxAge`. Default: now. */
  readonly authTime?: number;
  /** For rules with `acr`. */
  readonly acr?: string;
  /** Default: the user has just signed in. */
  readonly state?: TestState;
}

/** The cookies of a signed-in user, in the forms that test tools take. */
export interface TestCookies {
  /** The value of a `Cookie` header. */
  readonly header: string;
  /** For `context.addCookies` of Playwright. */
  readonly cookies: readonly BrowserCookie[];
  /** For the option `storageState` of Playwright, or a file of it. */
  readonly storageState: { readonly cookies: BrowserCookie[]; readonly origins: [] };
}

/** What is needed of a page of Playwright. */
export interface Page {
  context(): { addCookies(cookies: readonly BrowserCookie[]): Promise<void> };
}

/** Signs users in without a provider, for tests that begin after sign-in. */
export interface TestKit {
  /** Returns the cookies of a signed-in user. */
  signIn(user: Claims, session?: TestSession): Promise<TestCookies>;
  /** Signs a user in on a page of Playwright, and all pages of its context. */
  signInAs(page: Page, user: Claims, session?: TestSession): Promise<void>;
}

const day = 86_400;

/**
 * Creates the test kit of an app. It seals sessions with the app's own settings, and opens neither
 * a store nor a log.
 *
 * @param auth - the one of the app, with the settings that the tested server has, too
 * @throws {TypeError} in production: if `NODE_ENV` or the settings say so, or if the base URL is
 *   not on this machine
 */
export function createTestKit(auth: Auth): TestKit {
  return {
    signIn: (user, session) => signIn(auth, user, session),
    async signInAs(page, user, session) {
      const { cookies } = await signIn(auth, user, session);
      await page.context().addCookies(cookies);
    },
  };
}

async function signIn(auth: Auth, user: Claims, session: TestSession = {}): Promise<TestCookies> {
  refuseProduction(!auth.config.production && isLoopback(auth.config.baseURL));
  const { state, data = {}, authTime, acr } = session;
  const begins = auth.now() - ageOf(auth, state);
  const clock = () => begins * 1000;
  const parts = { store: null, log: () => undefined, clock };
  const { context, connection } = await openPlace(auth.config, parts, session);
  const { baseURL } = context.config;
  const proof = {
    authTime: authTime ?? begins,
    ...(acr === undefined ? {} : { acr }),
  };
  const facts = { connection, sub: user.sub, sid: user.sid, started: begins * 1000, ...proof };
  const goodToken = {
    accessTokenExpiresAt: begins + 3600,
    accessTokenScope: grantedScope(connection),
  };
  const token = data.accessToken === undefined ? {} : goodToken;
  const refused = state === "refresh-refused" ? refusedTokens(begins) : {};
  const content = storable({ ...token, ...data, ...refused, user });
  const { setCookies } = await context.sessions.create(content, facts, {});
  const cookies = browserCookies(setCookies, new URL(baseURL).hostname);
  const header = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  if (state === "ended") await signOut(auth, baseURL, header);
  return { header, cookies, storageState: { cookies: [...cookies], origins: [] } };
}

/** How many seconds ago the session was made. */
function ageOf({ config }: Auth, state: TestState | undefined): number {
  if (state === "after-25-hours") return day + 3600;
  if (state !== "expired") return 0;
  const { absolute, rolling } = config.session.lifetime;
  const lifetime = absolute ?? rolling;
  if (lifetime === null) throw new TypeError("The sessions of this app never expire.");
  return lifetime + 1;
}

function refusedTokens(now: number): Partial<SessionData> {
  return {
    accessToken: "expired",
    accessTokenExpiresAt: now - 1,
    refreshToken: "refused-by-the-test-kit",
  };
}

/** Signs out as a browser does in another tab. */
async function signOut(auth: Auth, baseURL: string, cookie: string): Promise<void> {
  const { store, routes } = { ...(await auth.status()), ...auth.config };
  if (store === "none") {
    throw new TypeError("Without a store no session ends elsewhere, so there is nothing to test.");
  }
  const request = new Request(baseURL + routes.logout, { headers: { cookie } });
  await auth.respond(request, () => new Response(null, { status: 404 }));
}
