/** What the clients of one provider share: its documents, its clock, what is known of outages. */
import type { ConnectionSettings } from "../../config/config.ts";
import { providerBackOff } from "../../config/constants.ts";
import type { Runtime } from "../../config/runtime.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { Log } from "../../telemetry/log-event.ts";
import type { Place } from "../../telemetry/place.ts";
import type { Observer, ProviderStatus } from "../../telemetry/telemetry.ts";
import { createKeySetVerifier } from "./key-set-verifier.ts";
import { fetchMetadata, type MetadataSettings } from "./metadata.ts";
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
import { fetchKeys } from "./signing-keys.ts";

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

/** See {@link SharedProvider}. */
export type Provider = ReturnType<typeof createProvider>;

/** What the clients of one provider share. */
export interface SharedProvider {
  readonly addClient: (client: IssuerSettings) => void;
  /** Made at its first use: most connections that are looked up are only read in sessions. */
  readonly open: () => Provider;
  readonly health: () => ProviderStatus;
}

export function sharedProvider(settings: IssuerSettings, deps: IssuerDeps): SharedProvider {
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
  const breaker = () => createBreaker(deps, endpointOpensAfter, state.failing);
  return {
    fetchFor: (client: IssuerSettings) => createGuardedFetch(callFor(client), deps.timing, breaker),
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
