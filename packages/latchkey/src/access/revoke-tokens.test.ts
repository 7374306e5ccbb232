import { expect, test, vi } from "vitest";

import { behindDoor } from "../../test/behind-door.ts";
import { goodSettings } from "../../test/settings.ts";
import { createAuth, type Options } from "../auth.ts";
import type { LogEvent } from "../config/log-event.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";
import type { RequestAuth } from "./request-auth.ts";

const issuer = goodSettings.issuerBaseURL;
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  revocation_endpoint: `${issuer}/revoke`,
};

/** Three sign-ins of one user, with the refresh tokens "rt-0", "rt-1" and "rt-2"; the first one acts. */
async function world(options: Partial<Options> = {}, status = 200) {
  const revoked: string[] = [];
  const events: LogEvent[] = [];
  const all: Options = {
    ...goodSettings,
    publicPaths: ["/"],
    store: memoryStore(),
    session: { stateful: true },
    log: (event) => void events.push(event),
    async fetch(address, { body }) {
      if (!address.endsWith("/revoke")) return Response.json(metadata);
      const form = body instanceof URLSearchParams ? body : new URLSearchParams();
      revoked.push(form.get("token") ?? "no token");
      return new Response(null, { status });
    },
    ...options,
  };
  const auth = createAuth(all);
  const cookies: string[] = [];
  for (const refreshToken of ["rt-0", "rt-1", "rt-2"]) {
    const session = { user: { sub: "ada" }, refreshToken };
    cookies.push(await signedInCookies({ options: all, session }));
  }
  return {
    revoked,
    events,
    async act(handler: (here: RequestAuth) => unknown): Promise<void> {
      const headers = { cookie: cookies[0] ?? "" };
      await behindDoor(auth, new Request(goodSettings.baseURL, { headers }), handler);
    },
  };
}

async function endOne(here: RequestAuth): Promise<void> {
  const devices = (await here.devices()) ?? [];
  await here.endDevice(devices.find(({ isCurrent }) => isCurrent)?.id ?? "");
}

const inCookies = { session: { stateful: false } };

test.each<[string, Partial<Options>, (here: RequestAuth) => unknown, string[]]>([
  ["of the device that was ended", {}, endOne, ["rt-0"]],
  ["of all other devices", {}, (here) => here.endDevices("others"), ["rt-1", "rt-2"]],
  ["of all devices", {}, (here) => here.endDevices("all"), ["rt-0", "rt-1", "rt-2"]],
  ["of this device, where there is no list", inCookies, (here) => here.endDevices("all"), ["rt-0"]],
])("the refresh tokens %s are revoked at the provider", async (_, options, end, expected) => {
  const { revoked, act } = await world(options);
  await act(end);
  await vi.waitFor(() => expect(revoked.toSorted()).toEqual(expected));
});

test("a provider that does not revoke is told to the log, and signs nobody in again", async () => {
  const { events, act } = await world({}, 503);
  await act(endOne);
  const fault = { event: "provider-fault", reason: "provider_busy", detail: "token revocation" };
  await vi.waitFor(() => expect(events).toContainEqual(fault));
  await act(({ session }) => expect(session).toBeNull());
});
