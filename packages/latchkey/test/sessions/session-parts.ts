import { type Config, readConfig } from "../../src/config/config.ts";
import { sealingSite } from "../../src/config/sealed-names.ts";
import type { Settings } from "../../src/config/settings.ts";
import type { Observer } from "../../src/telemetry/telemetry.ts";
import { type Cookies, createChunkedCookie } from "../../src/http/cookies.ts";
import { createEndedList, type EndedList } from "../../src/session/marks/ended-list.ts";
import {
  readSession,
  type SessionReader,
  type SessionResult,
} from "../../src/session/read-session.ts";
import { deriveKeyRing } from "../../src/crypto/key-ring.ts";
import { createLastUseCookie } from "../../src/session/last-use.ts";
import type { WrittenSession } from "../../src/session/place.ts";
import type { RequiredName, SessionSeal } from "../../src/session/seal.ts";
import type { SessionData } from "../../src/session/session.ts";
import { createSessionRecords } from "../../src/session/session-records.ts";
import type { ClientRegistration } from "../../src/session/session-handle.ts";
import { createSessions, type Sessions, type SignInFacts } from "../../src/session/sessions.ts";
import { createUserSessions, type UserSessions } from "../../src/session/user-sessions.ts";
import { type MemoryStore, memoryStore } from "../../src/stores/memory.ts";
import { jarAfter } from "../browser/cookie-jar.ts";
import { sessionSeal } from "./session-seal.ts";
import { goodSettings } from "../settings.ts";

/** When the sessions of these tests begin, in epoch seconds. */
export const signedInAt = 1_800_000_000;

/** The parts of the engine for sessions, without a provider and without requests. */
export interface SessionParts {
  readonly seal: SessionSeal;
  readonly reader: SessionReader;
  readonly sessions: Sessions;
  readonly store: MemoryStore;
  readonly ended: EndedList | null;
  readonly userSessions: UserSessions;
  /** Number of cookies reported as foreign. */
  foreign(): number;
  /** Number of cookies reported to need a store. */
  storeMissing(): number;
  /** The keys reported as unknown. */
  readonly unknownKeys: readonly (string | undefined)[];
  advance(seconds: number): void;
  signIn(data?: SessionData, facts?: Partial<SignInFacts>): Promise<WrittenSession>;
  /** The same, as the cookies of a browser. */
  jarOf(data?: SessionData, facts?: Partial<SignInFacts>): Promise<Record<string, string>>;
  read(cookies: Cookies): Promise<SessionResult>;
}

export interface SessionPartsOptions {
  readonly settings?: Partial<Settings>;
  readonly registration?: Partial<ClientRegistration>;
  /** `null` for an app without a store. */
  readonly store?: MemoryStore | null;
  readonly measure?: Observer["measure"];
}

/** Whose sessions they are, unless the options say otherwise. */
export const registration = { issuer: "https://op.example", client: "client" };
/** Settings for sessions in the store. */
export const stateful = { settings: { session: { stateful: true } } };

export const ada: SessionData = { user: { sub: "ada" }, accessToken: "at" };

const marksBy = (clock: () => number) => ({
  keepSeconds: 86_400,
  clock,
});

function lastUseCookie({ secrets, session, clockTolerance }: Config) {
  const keys = deriveKeyRing(secrets, "last-use");
  return createLastUseCookie({ keys: () => keys, session, clockTolerance });
}

function requiredBy({ session }: Config): readonly RequiredName[] {
  return session.requireIssuer ? ["issuer", "client"] : [];
}

function countedText() {
  let count = 0;
  return () => `${(count += 1)}`.padStart(43, "h");
}

function noConnectionAmong(ours: ClientRegistration): SessionReader["noConnectionOf"] {
  return ({ issuer, client }) =>
    issuer === ours.issuer && client === ours.client ? null : "other-client";
}

function countingListeners() {
  const counts = { foreign: 0, storeMissing: 0 };
  const unknownKeys: (string | undefined)[] = [];
  return {
    counts,
    unknownKeys,
    onForeign: () => void (counts.foreign += 1),
    onStoreMissing: () => void (counts.storeMissing += 1),
    onUnknownKey: (keyId: string | undefined) => void unknownKeys.push(keyId),
    onUnproved: () => undefined,
  };
}

/** No device is bound, no session is listed, and the store does not fail. */
const withoutExtras = { device: null, ofUsers: null, pendingEnds: { add: () => false } };

export function sessionParts(options: SessionPartsOptions = {}): SessionParts {
  let now = signedInAt * 1000;
  const clock = () => now;
  const inMemory = memoryStore(clock);
  const store = options.store === undefined ? inMemory : options.store;
  const config = readConfig({ ...goodSettings, ...options.settings }, { hasStore: store !== null });
  const ours = { ...registration, ...options.registration };
  const seal = sessionSeal(config.secrets, ours, requiredBy(config));
  const lastUse = lastUseCookie(config);
  const ended = store && createEndedList({ ...marksBy(clock), store });
  const { name, lifetime, cookie, transient } = config.session;
  const [site, lifetimeOf] = [sealingSite(config, config), () => lifetime];
  const sessions = createSessions({
    config,
    site,
    lifetimeOf,
    seal,
    cookie: createChunkedCookie(name, cookie, transient),
    lastUse,
    ...withoutExtras,
    measure: options.measure,
    records: store && createSessionRecords({ store, seal, lifetime }),
    ended,
    clock,
    randomText: countedText(),
  });
  const connection = { ...config.connections.default, registration: ours };
  const { counts, unknownKeys, ...listeners } = countingListeners();
  const reader = {
    name,
    seal,
    lastUse,
    device: null,
    store,
    stateful: config.session.stateful,
    site,
    noConnectionOf: noConnectionAmong(ours),
    lifetimeOf,
    formerSessionIn: null,
    ...listeners,
  };
  const signInOf = ({ user }: SessionData) => ({ connection, sub: user.sub, sid: undefined });
  const signIn: SessionParts["signIn"] = (data = ada, facts = {}) =>
    sessions.create(data, { ...signInOf(data), started: now, ...facts }, {});
  return {
    seal,
    reader,
    sessions,
    store: store ?? inMemory,
    ended,
    userSessions: createUserSessions({ seal, store: store ?? inMemory }),
    foreign: () => counts.foreign,
    storeMissing: () => counts.storeMissing,
    unknownKeys,
    advance: (seconds) => void (now += seconds * 1000),
    signIn,
    jarOf: async (data, facts) => jarAfter((await signIn(data, facts)).setCookies),
    read: (cookies) => readSession(reader, cookies, Math.floor(now / 1000)),
  };
}

/**
 * Returns the parts and the results of the first sign-in: its session, its `Set-Cookie` lines, and
 * the cookies of its browser.
 */
export async function signedInParts(
  options?: SessionPartsOptions,
  data?: SessionData,
  facts?: Partial<SignInFacts>,
) {
  const parts = sessionParts(options);
  const { stored, setCookies } = await parts.signIn(data, facts);
  return { ...parts, stored, setCookies, jar: jarAfter(setCookies) };
}

/** Returns the data of an active session; fails for any other result. */
export function activeData(result: SessionResult): SessionData {
  if (result.state !== "active") throw new Error(`the session is ${result.state}`);
  return result.stored.data;
}
