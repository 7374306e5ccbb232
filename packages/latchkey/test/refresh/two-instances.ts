import type { AccessTokenRequest } from "../../src/refresh/access-token-request.ts";
import type { RequestAuth } from "../../src/host/request-auth.ts";
import { createAuth, type Options } from "../../src/host/auth.ts";
import type { LogEvent } from "../../src/telemetry/log-event.ts";
import type { OperationEnd, Telemetry } from "../../src/telemetry/telemetry.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import type { Store } from "../../src/stores/store.ts";
import { signedInCookies } from "../../src/testing/index.ts";
import { jarOf } from "../browser/cookie-jar.ts";
import { goodSettings } from "../settings.ts";
import { createRotatingProvider } from "./rotating-provider.ts";

const began = Date.UTC(2026, 0, 1);

/** Lifetime of an access token in seconds. */
export const lasts = 300;

/** Replaces the random bytes of waits by this byte: 255 for the longest wait. */
export const chanceOf = (byte: number) => (bytes: number) =>
  bytes === 4 ? new Uint8Array(bytes).fill(byte) : crypto.getRandomValues(new Uint8Array(bytes));

/** Returns the access token for a request, or the code of its error. */
export const token = (here: RequestAuth, request: AccessTokenRequest = {}) =>
  here.accessToken(request).catch(({ code }: { code: string }) => code);

/** The same, with the message of the error. */
export const tokenInWords = (here: RequestAuth, request: AccessTokenRequest = {}) =>
  here
    .accessToken(request)
    .catch(({ code, message }: Error & { code: string }) => `${code}: ${message}`);

/** Holds the lease of a token for another instance. */
export const leasedToOthers = (store: Store): Store => ({
  ...store,
  lease: (key, _owner, ms) => store.lease(key, "another instance", ms) && false,
});

/** What becomes of a call to the provider, which `send` carries out. */
export type OnCall = (input: string, send: () => Promise<Response>) => Promise<Response>;

interface ProviderOptions {
  readonly graceMs?: number;
  /** A second use is refused, and nothing is revoked. */
  readonly isForgiving?: boolean;
  readonly beforeAnswer?: () => Promise<unknown>;
}

export interface TwoInstancesOptions extends ProviderOptions {
  readonly settings?: Partial<Options>;
  readonly storeOf?: (store: Store) => Store;
  readonly onCall?: OnCall;
}

/**
 * Creates two instances of an app with one store, a provider with rotating refresh tokens, and a
 * signed-in user.
 */
export async function twoInstances({
  settings = {},
  graceMs = 0,
  isForgiving = false,
  beforeAnswer = async () => undefined,
  storeOf = (store) => store,
  onCall = (_input, send) => send(),
}: TwoInstancesOptions = {}) {
  let now = began;
  const start = performance.now();
  const clock = () => Math.floor(now + performance.now() - start);
  const { log, telemetry, ...heard } = listeners();
  const { provider, fates } = unluckyProvider({ clock, graceMs, isForgiving, beforeAnswer });
  // The engine treats it as a store on another machine.
  const store = { ...memoryStore(clock), kind: "redis" as const };
  const options: Options = {
    ...goodSettings,
    publicPaths: ["/"],
    clock,
    store: storeOf(store),
    fetch: (input, init) => onCall(input, () => provider.fetch(input, init)),
    log,
    telemetry,
    ...settings,
  };
  const [one, other] = [createAuth(options), createAuth(options)];

  /** Another person, whose access token is good for so many seconds. */
  async function signIn(left = 50, more: Readonly<Record<string, unknown>> = {}) {
    const { refreshToken, family } = provider.signIn();
    const session = {
      user: { sub: "ada" },
      accessToken: refreshToken.replace("rt", "at"),
      accessTokenExpiresAt: now / 1000 + left,
      refreshToken,
      ...more,
    };
    return { jar: jarOf(await signedInCookies({ options, session })), family };
  }

  return {
    one,
    other,
    ...(await signIn()),
    signIn,
    fates,
    store,
    ...heard,
    advance: (seconds: number) => void (now += seconds * 1000),
  };
}

interface UnluckyOptions extends Required<ProviderOptions> {
  readonly clock: () => number;
}

function unluckyProvider({ clock, graceMs, isForgiving, beforeAnswer }: UnluckyOptions) {
  /** What becomes of the responses of the token endpoint, the next one first. */
  const fates: ("lost" | "down")[] = [];
  const provider = createRotatingProvider({
    issuer: goodSettings.issuerBaseURL,
    clock,
    accessTokenLasts: lasts,
    graceMs: () => graceMs,
    isForgiving,
    async onTheWay(moment) {
      if (moment === "request") await beforeAnswer();
      if (moment === "request" && fates[0] === "down") throw failed("ECONNREFUSED");
      if (moment === "response" && fates.shift() === "lost") throw failed("ECONNRESET");
    },
  });
  return { provider, fates };
}

/** Collects the events of refreshes from log and telemetry. */
function listeners() {
  const events: LogEvent[] = [];
  const ends: OperationEnd[] = [];
  const telemetry: Telemetry = {
    async around({ name }, run) {
      const end = await run();
      if (name === "refresh") ends.push(end);
      return end;
    },
  };
  return {
    log: (event: LogEvent) => void events.push(event),
    telemetry,
    ends,
    outcomes: () => events.flatMap((each) => (each.event === "refresh" ? [each.outcome] : [])),
    told: (name: LogEvent["event"]) => events.filter(({ event }) => event === name),
  };
}

export function failed(code: string): Error {
  const cause = Object.assign(new Error(code), { code });
  return new TypeError("fetch failed", { cause });
}

/** A store whose leases exclude no other instance. */
export function leaseless(store: Store): Store {
  return {
    ...store,
    async lease(key, owner, ms) {
      await store.delete(key);
      return store.lease(key, owner, ms);
    },
  };
}
