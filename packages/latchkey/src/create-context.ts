import { ambient } from "./config/ambient.ts";
import type { Config } from "./config/config.ts";
import { transactionLifetimeSeconds } from "./config/constants.ts";
import type { Parts } from "./config/parts.ts";
import { startUpWarnings } from "./config/warnings.ts";
import type { Context } from "./context.ts";
import { encodeBase64url } from "./crypto/base64url.ts";
import { deriveKeyRing, type KeyPurpose, type KeyRing } from "./crypto/key-ring.ts";
import { fetchTransport } from "./oidc/fetch-transport.ts";
import { createProvider } from "./oidc/provider.ts";
import { plainProblemPage } from "./routes/problem-page.ts";
import type { SignedOut } from "./routes/post-logout.ts";
import { cookieStorage } from "./session/cookie-storage.ts";
import { createEndedList } from "./session/ended-list.ts";
import { longestLife } from "./session/lifetime.ts";
import { personSessions } from "./session/person-sessions.ts";
import type { SessionData } from "./session/session.ts";
import { createRecentlyOpened } from "./session/recently-opened.ts";
import { createSessionCookie } from "./session/session-cookie.ts";
import { createSessionSeal } from "./session/session-seal.ts";
import { createSessions } from "./session/sessions.ts";
import type { SessionStorage } from "./session/storage.ts";
import { createVisits } from "./session/visits.ts";
import { storeStorage } from "./session/store-storage.ts";
import type { Store } from "./stores/store.ts";
import { createRecentStates } from "./transaction/recent-states.ts";
import { createTransactionCookies } from "./transaction/transaction-cookies.ts";

type Given = Omit<Parts<SessionData, Store, SignedOut>, "store"> & {
  readonly store?: Store | undefined;
};

/** Puts the parts together; nothing is called, derived or opened before the first request needs it. */
export function createContext(config: Config, parts: Given): Context {
  const { store, hooks = {}, renderProblem = plainProblemPage } = parts;
  const { clock = ambient.clock, random = ambient.random } = parts;
  const { log = ambient.log(config.production), fetch } = parts;
  const transport = fetchTransport(fetch ?? ambient.fetch);
  const randomText = (bytes: number) => encodeBase64url(random(bytes));
  const party = { issuer: config.issuerBaseURL, client: config.clientID };
  // A sign-in that was started before a mark may still be finished after it, and live its whole life from then.
  const keepSeconds =
    transactionLifetimeSeconds + longestLife(config.session.lifetime) + config.clockTolerance;
  const ended = store === undefined ? null : createEndedList({ store, party, keepSeconds, clock });
  const cookie = createSessionCookie(config);
  const recent = createRecentlyOpened({ clock, ...rememberedCookies });
  const seal = createSessionSeal({ keys: keysOf(config, "session"), party, recent });
  const storageParts = { name: config.session.name, cookie, seal };
  const sessionStore = config.session.stateful ? store : undefined;
  const storage: SessionStorage =
    sessionStore === undefined
      ? cookieStorage(storageParts)
      : storeStorage({
          ...storageParts,
          party,
          store: sessionStore,
          newHandle: () => randomText(32),
        });
  const ofPerson =
    sessionStore === undefined ? null : personSessions({ party, seal, store: sessionStore });
  const { warnings = [] } = parts;
  for (const message of [...warnings, ...startUpWarnings(config, store !== undefined)]) {
    log({ event: "warning", message });
  }
  return {
    config,
    provider: createProvider({ config, transport, clock }),
    transactions: createTransactionCookies({ config, keys: keysOf(config, "transaction"), clock }),
    sessions: createSessions({
      config,
      party,
      storage,
      cookie,
      ended,
      ofPerson,
      clock,
      newId: () => randomText(16),
    }),
    ended,
    hooks,
    renderProblem,
    answeredStates: createRecentStates(clock, 10_000),
    destinations: createRecentStates(clock, 2000),
    refreshes: new Map(),
    visits: createVisits(),
    clock,
    randomText,
    log,
  };
}

/** Some hundred sessions, for a minute or two. */
const rememberedCookies = { charactersAtMost: 1_000_000, generationMs: 60_000 };

/** Keys are derived when they are first needed, and kept. */
function keysOf({ secrets }: Config, purpose: KeyPurpose): () => KeyRing {
  let ring: KeyRing | undefined;
  return () => (ring ??= deriveKeyRing(secrets, purpose));
}
