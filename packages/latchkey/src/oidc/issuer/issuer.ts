import type { ConnectionSettings } from "../../config/config.ts";
import { providerBackOff } from "../../config/constants.ts";
import type { Runtime } from "../../config/runtime.ts";
import type { JSONObject } from "../../crypto/json-object.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { Log } from "../../telemetry/log-event.ts";
import type { Place } from "../../telemetry/place.ts";
import type { Observer, ProviderStatus } from "../../telemetry/telemetry.ts";
import { createKeySetVerifier, type KeySetVerifier } from "./key-set-verifier.ts";
import { checkFits, fetchMetadata, type Metadata, type MetadataSettings } from "./metadata.ts";
import { observeCalls } from "./observed-fetch.ts";
import { type CircuitBreaker, createCircuitBreaker } from "./outages/circuit-breaker.ts";
import { createGuardedFetch } from "./outages/guarded-fetch.ts";
import { createProviderState, type ProviderState } from "./outages/provider-state.ts";
import { createReachability } from "./outages/reachability.ts";
import { staleWhileRevalidateCache } from "./outages/stale-while-revalidate-cache.ts";
import { createProviderClock } from "./provider-clock.ts";
import { createMemberReader, type MemberReader } from "./provider-document.ts";
import {
  createProviderFetch,
  type Fetch,
  type ProviderFetch,
  type ProviderResponse,
} from "./provider-fetch.ts";
import { fetchKeys, type SigningKey } from "./signing-keys.ts";
import { isAdmittedIssuer, issuerFor } from "./tenants.ts";

/** An OpenID provider: its metadata, its keys, and the way to call it. */
export interface Issuer {
  /** As configured. Metadata and tokens name the same, or one of its tenants. */
  readonly name: string;
  /** Whether it stands for many tenants, whose tokens name issuers of their own. */
  readonly hasTenants: boolean;
  /** Milliseconds for a whole call. */
  readonly timeoutMs: number;
  /** Calls an endpoint; see `createProviderFetch` and `createGuardedFetch`. */
  readonly fetch: ProviderFetch;
  metadata(): Promise<Metadata>;
  /** Reads the optional members of a response; see `MemberReader`. */
  readonly readMembers: MemberReader;
  /** Whether a name, beside a token or without one, is that of this issuer or of its tenants. */
  isNamed(name: string): Promise<boolean>;
  /** Whether the claims of a token name this issuer, or the admitted tenant they belong to. */
  hasIssued(claims: JSONObject): Promise<boolean>;
  /**
   * Checks that a browser will reach a page of the provider; metadata may be cached while it is
   * down.
   *
   * @throws {Refusal} `provider_unreachable`, `provider_timeout`
   */
  checkReachable(address: string): Promise<void>;
  /** The public keys, those for other uses left out. */
  keys(): Promise<readonly SigningKey[]>;
  /**
   * Verifies a signature by the key set (RFC 7515, 5.2): the caller has checked the algorithm of
   * the token.
   *
   * @throws {Refusal} if the keys cannot be fetched
   */
  readonly verify: KeySetVerifier;
  /** As seen in past calls. */
  readonly health: () => ProviderStatus;
  /** What is wrong with the clock of this machine, by the provider's; `null` while they agree. */
  clockFault(): string | null;
  /** Fetches metadata and keys before a user needs them; never rejects. */
  warmUp(): Promise<void>;
}

export type IssuerSettings = Pick<
  ConnectionSettings,
  | "issuerBaseURL"
  | "metadataURL"
  | "tenants"
  | "responseType"
  | "idTokenSigningAlg"
  | "clockTolerance"
  | "httpTimeout"
> & {
  /** Of the connection; absent for an issuer of tokens alone. */
  readonly id?: string | undefined;
};

export interface IssuerDeps extends Pick<
  Runtime,
  "clock" | "timing" | "fraction" | "log" | "background"
> {
  /** The Fetch API of the app or of the runtime. */
  readonly fetch: Fetch;
  readonly observer?: Pick<Observer, "measure" | "run">;
  readonly admits?: MetadataSettings["admits"];
  /** How events and measurements name a client; by default they do not. */
  readonly placeOf?: (client: IssuerSettings) => Place;
}

/** The connection and the issuer of a client as events name them. */
export function placeOfClient({ id, issuerBaseURL }: IssuerSettings): Place {
  return { connection: id, issuer: issuerBaseURL };
}

/**
 * Returns a function which opens the issuer of a client. Clients of one provider share its
 * documents, its clock and what is known of its outages; each has its own limits, time and checks.
 */
export function createIssuers(deps: IssuerDeps): (client: IssuerSettings) => Issuer {
  const shared = new Map<string, SharedProvider>();
  return (client) => {
    const key = JSON.stringify([client.issuerBaseURL, client.metadataURL]);
    const settings = pickIssuerSettings(client);
    const known = shared.get(key) ?? sharedProvider(settings, deps);
    shared.set(key, known);
    return createIssuerFor(settings, known, deps);
  };
}

/** Opens the issuer of the only client that it has. */
export function createIssuer(client: IssuerSettings, deps: IssuerDeps): Issuer {
  const settings = pickIssuerSettings(client);
  return createIssuerFor(settings, sharedProvider(settings, deps), deps);
}

type Provider = ReturnType<typeof createProvider>;

/** What the clients of one provider share. */
interface SharedProvider {
  readonly addClient: (client: IssuerSettings) => void;
  /** Made at its first use: most connections that are looked up are only read in sessions. */
  readonly open: () => Provider;
  readonly health: Issuer["health"];
}

function sharedProvider(settings: IssuerSettings, deps: IssuerDeps): SharedProvider {
  let clients: readonly IssuerSettings[] = [];
  let provider: Provider | undefined;
  return {
    addClient(client) {
      if (!clients.some((each) => expectsTheSame(each, client))) clients = [...clients, client];
    },
    open: () => (provider ??= createProvider(settings, deps, () => clients)),
    health: () => provider?.health() ?? unused,
  };
}

const unused = { state: "up", metadataAgeMs: null, keysAgeMs: null } as const;

function expectsTheSame(one: IssuerSettings, other: IssuerSettings): boolean {
  const key = ({ tenants, responseType, idTokenSigningAlg }: IssuerSettings) =>
    JSON.stringify([tenants, responseType, idTokenSigningAlg]);
  return one === other || key(one) === key(other);
}

function createProvider(
  settings: IssuerSettings,
  deps: IssuerDeps,
  clients: DocumentSources["clients"],
) {
  const { clock, placeOf = () => ({}) } = deps;
  // Clients share what a provider publishes, so its events name none of them.
  const log: Log = (event) => deps.log({ ...placeOf({ ...settings, id: undefined }), ...event });
  const clockTolerance = settings.clockTolerance;
  const providerClock = createProviderClock({ clock, log, clockTolerance });
  const reachability = createReachability({ fetch: deps.fetch, clock });
  const listeners: CallListeners = {
    onResponse(response, address) {
      providerClock.hear(response);
      reachability.responded(address);
    },
    onError: reachability.failed,
  };
  function callFor(client: IssuerSettings): ProviderFetch {
    const { httpTimeout: timeoutMs } = client;
    const carry = createProviderFetch({ fetch: deps.fetch, timeoutMs, clock });
    return hearing(
      observeCalls(carry, deps, () => placeOf(client)),
      listeners,
    );
  }
  const state = createProviderState(log, clock);
  const readMembers = createMemberReader(log);
  const call = callFor(settings);
  const { metadata, keys } = createDocuments(settings, deps, { call, state, readMembers, clients });
  return {
    callFor,
    state,
    readMembers,
    metadata,
    keys,
    verify: createKeySetVerifier({ keys, clock }),
    checkReachable: reachability.check,
    clockFault: providerClock.fault,
    health() {
      const fault = state.fault();
      const ages = { metadataAgeMs: metadata.ageMs(), keysAgeMs: keys.ageMs() };
      return fault === null
        ? { state: "up" as const, ...ages }
        : { state: "down" as const, ...fault, ...ages };
    },
  };
}

/** Until its first call it has little in memory: functions, and no getters, which cost far more. */
function createIssuerFor(client: IssuerSettings, shared: SharedProvider, deps: IssuerDeps): Issuer {
  let opened: Issuer | undefined;
  const { issuerBaseURL: name, tenants, httpTimeout: timeoutMs } = client;
  shared.addClient(client);
  const open = () => (opened ??= openIssuerFor(client, shared.open(), deps));
  return {
    name,
    hasTenants: tenants !== undefined,
    timeoutMs,
    fetch: (address, request) => open().fetch(address, request),
    metadata: () => open().metadata(),
    readMembers: (document, members, optional) => open().readMembers(document, members, optional),
    isNamed: (given) => open().isNamed(given),
    hasIssued: (claims) => open().hasIssued(claims),
    checkReachable: (address) => open().checkReachable(address),
    keys: () => open().keys(),
    verify: (token) => open().verify(token),
    health: shared.health,
    clockFault: () => open().clockFault(),
    warmUp: () => open().warmUp(),
  };
}

/** A connection has many more, and an issuer must not keep those of a former one. */
function pickIssuerSettings(client: IssuerSettings): IssuerSettings {
  const { id, issuerBaseURL, metadataURL, tenants, responseType } = client;
  const { idTokenSigningAlg, clockTolerance, httpTimeout } = client;
  const checked = { responseType, idTokenSigningAlg, clockTolerance, httpTimeout };
  return { id, issuerBaseURL, metadataURL, tenants, ...checked };
}

function openIssuerFor(client: IssuerSettings, provider: Provider, deps: IssuerDeps): Issuer {
  const { issuerBaseURL: name, tenants, httpTimeout: timeoutMs } = client;
  const { idTokenSigningAlg } = client;
  const { metadata: documents, keys, state } = provider;
  let fitting: Metadata | undefined;

  async function metadata(): Promise<Metadata> {
    const found = await documents.get();
    if (found !== fitting) checkFits(found, client);
    return (fitting = found);
  }

  async function isNamed(given: string): Promise<boolean> {
    // Its tenants have the same origin: no other name is worth a call, which may fail.
    const mayBeTenant = tenants !== undefined && originOf(given) === originOf(name);
    if (given === name || !mayBeTenant) return given === name;
    return isAdmittedIssuer(given, tenants, (await metadata()).issuer);
  }

  return {
    name,
    hasTenants: tenants !== undefined,
    timeoutMs,
    fetch: createGuardedFetch(provider.callFor(client), deps.timing, () =>
      createBreaker(deps, endpointOpensAfter, state.failing),
    ),
    metadata,
    readMembers: provider.readMembers,
    isNamed,
    async hasIssued(claims) {
      const { iss } = claims;
      if (typeof iss !== "string" || !(await isNamed(iss))) return false;
      return tenants === undefined || issuerFor((await metadata()).issuer, claims) === iss;
    },
    checkReachable: provider.checkReachable,
    keys: () => keys.get(),
    verify: provider.verify,
    clockFault: provider.clockFault,
    health: provider.health,
    async warmUp() {
      const needsKeys = !idTokenSigningAlg.startsWith("HS");
      await Promise.allSettled([metadata(), ...(needsKeys ? [keys.get()] : [])]);
    },
  };
}

function originOf(address: string): string | undefined {
  return URL.parse(address)?.origin;
}

interface CallListeners {
  onResponse(response: ProviderResponse, address: string): void;
  onError(address: string): void;
}

function hearing(call: ProviderFetch, { onResponse, onError }: CallListeners): ProviderFetch {
  return async (address, request) => {
    try {
      const response = await call(address, request);
      onResponse(response, address);
      return response;
    } catch (error) {
      onError(address);
      throw error;
    }
  };
}

/** Failed calls in a row before an endpoint counts as down; a document counts after the first. */
const endpointOpensAfter = 5;

function createBreaker(
  { clock, fraction }: IssuerDeps,
  opensAfter: number,
  onOpen: ProviderState["failing"] = () => () => undefined,
): CircuitBreaker {
  return createCircuitBreaker({ backOff: providerBackOff, opensAfter, clock, fraction, onOpen });
}

interface DocumentSources {
  /** The clients of the provider: metadata that fit none of them are no metadata. */
  readonly clients: () => readonly IssuerSettings[];
  readonly call: ProviderFetch;
  readonly state: ProviderState;
  readonly readMembers: MemberReader;
}

/** The documents published by the provider: metadata and keys. */
function createDocuments(
  settings: IssuerSettings,
  deps: IssuerDeps,
  { clients, call, state, readMembers }: DocumentSources,
) {
  const { clock, timing, background } = deps;
  // Metadata may take two calls: one redirect is followed.
  const loadTimeoutMs = settings.httpTimeout * 2;
  const shared = {
    loadTimeoutMs,
    clock,
    timing,
    runInBackground: (work: Promise<unknown>) => background.run("renewal", work),
  };
  /** A wrong document opens no breaker before the first good one came, and is a fault, too. */
  function reportLoads<T>(load: () => Promise<T>): () => Promise<T> {
    let works: (() => void) | null = null;
    return async () => {
      try {
        const loaded = await load();
        works?.();
        works = null;
        return loaded;
      } catch (error) {
        if (error instanceof Refusal) works ??= state.failing(error);
        throw error;
      }
    };
  }
  const admitting = (client: IssuerSettings) => ({ ...client, admits: deps.admits });
  const metadata = staleWhileRevalidateCache({
    ...shared,
    breaker: createBreaker(deps, 1),
    load: reportLoads(() => fetchMetadata(clients().map(admitting), call, readMembers)),
  });
  const keys = staleWhileRevalidateCache({
    ...shared,
    breaker: createBreaker(deps, 1),
    load: reportLoads(async () => {
      const { jwks_uri: address = "" } = await metadata.get();
      return fetchKeys(address, call, readMembers);
    }),
  });
  return { metadata, keys };
}
