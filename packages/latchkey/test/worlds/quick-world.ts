import { randomUUID } from "node:crypto";

import { createBrowser } from "../browser/browser.ts";
import {
  createQuickProvider,
  type Members,
  metadataOf,
  quickClient,
  type QuickProvider,
} from "./quick-provider.ts";
import { began } from "../sessions/signed-in-app.ts";
import { answerOf, createWorld, type World, type WorldSettings } from "./world.ts";

/** The quick provider as browsers and its operators see it. */
export interface QuickWorldProvider extends QuickProvider {
  /** Sends a logout token for each session of a person, or for the one with this `sid`. */
  endSessions(sub: string, sid?: string): Promise<void>;
}

export type QuickWorld = World<QuickWorldProvider>;

const baseURL = "http://localhost:3000";

/**
 * Creates a world without sockets, for tests of the time after a sign-in. Its time is {@link began}
 * until the test advances it. The provider requires a login each time.
 */
export function quickWorld(
  settings: Omit<WorldSettings, "basePath" | "provider"> = {},
): QuickWorld {
  let now = began * 1000;
  // With a stopped clock, successive steps would share one millisecond.
  const time = {
    now: () => (now += 1),
    advance: (seconds: number) => void (now += seconds * 1000),
  };
  const quick = createQuickProvider(time.now);
  const { issuer } = quick;
  quick.answers.metadata = () =>
    Response.json({ ...metadataOf(issuer), revocation_endpoint: `${issuer}/revoke` });
  const signIns: Members[] = [];

  /** What the app or the provider answers a browser. */
  async function send(url: URL, init: RequestInit): Promise<Response> {
    if (url.origin !== issuer) return answerOf(world, settings, new Request(url, init));
    if (init.body === undefined) return new Response(`<form method="post" action="${url.href}">`);
    const form = await new Request(url, init).formData();
    const person = { sub: form.get("person"), sid: randomUUID() };
    signIns.push(person);
    return Response.redirect(authorizationResponse(quick, url, person));
  }

  async function endSessions(sub: string, sid?: string): Promise<void> {
    const ended = signIns.filter(
      (each) => each["sub"] === sub && (sid ?? each["sid"]) === each["sid"],
    );
    const tokens = ended.map((each) => quick.logoutToken(each));
    await Promise.all(tokens.map((token) => send(...logoutRequest(token))));
  }

  const world: QuickWorld = createWorld(settings, {
    baseURL,
    provider: { ...quick, endSessions },
    time,
    options: {
      issuerBaseURL: issuer,
      ...quickClient,
      idTokenSigningAlg: "HS256",
      fetch: quick.fetch,
    },
    browser: () => createBrowser(baseURL, send),
  });
  return world;
}

function authorizationResponse(quick: QuickProvider, { searchParams }: URL, person: Members): URL {
  const code = quick.newCode(searchParams.get("nonce") ?? "");
  quick.people.set(code, person);
  const address = new URL(searchParams.get("redirect_uri") ?? "");
  address.search = new URLSearchParams({ code, state: searchParams.get("state") ?? "" }).toString();
  return address;
}

function logoutRequest(token: string): [url: URL, init: RequestInit] {
  const body = new URLSearchParams({ logout_token: token });
  return [new URL("/api/auth/backchannel-logout", baseURL), { method: "POST", body }];
}
