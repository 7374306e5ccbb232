import type { Config } from "../config/config.ts";
import { providerBackOff } from "../config/constants.ts";
import type { Runtime } from "../config/runtime.ts";
import type { Observer, Status } from "../telemetry/telemetry.ts";
import type { Refusal } from "../errors/refusal.ts";
import { type RunChecks, runChecks } from "./checks/check.ts";
import { type CircuitBreaker, createCircuitBreaker } from "./issuer/outages/circuit-breaker.ts";
import { createGuardedFetch } from "./issuer/outages/guarded-fetch.ts";
import { fetchMetadata, type Metadata } from "./issuer/metadata.ts";
import { createProviderState, type ProviderState } from "./issuer/outages/provider-state.ts";
import { createReachability } from "./issuer/outages/reachability.ts";
import { observeCalls } from "./issuer/observed-fetch.ts";
import { createProviderClock } from "./issuer/provider-clock.ts";
import { createMemberReader, type MemberReader } from "./issuer/provider-document.ts";
import { createProviderFetch, type Fetch, type ProviderFetch } from "./issuer/provider-fetch.ts";
import { fetchKeys } from "./issuer/signing-keys.ts";
import type { ProviderToken } from "./tokens/token-claims.ts";
import { staleWhileRevalidateCache } from "./issuer/outages/stale-while-revalidate-cache.ts";
import {
  createKeySetVerifier,
  createSignatureVerifier,
  type KeySetVerifier,
} from "./tokens/verify-signature.ts";

/** The identity provider (OP): its metadata, its keys, and the way to call it. */
export interface Provider {
  /** Calls an endpoint; see `createProviderFetch` and `createGuardedFetch`. */
  readonly fetch: ProviderFetch;
  metadata(): Promise<Metadata>;
  /** Reads the optional members of a response; see `MemberReader`. */
  readonly readMembers: MemberReader;
  /** Runs the checks of its tokens and responses. The inspector notes them in passing. */
  readonly check: RunChecks;
  /**
   * Checks that a browser will reach a page of the provider; metadata may be cached while it is
   * down.
   *
   * @throws {Refusal} `provider_unreachable`, `provider_timeout`
   */
  checkReachable(address: string): Promise<void>;
  /**
   * Verifies the provider's signature of a token, with the configured algorithm (RFC 7515, 5.2).
   *
   * @throws {Refusal} `…_algorithm`, `…_key_unknown`, `…_signature`, by kind of token
   */
  verifySignature(token: ProviderToken, check?: RunChecks): Promise<void>;
  /**
   * Verifies a signature by the provider's key set, whatever the configured algorithm: the caller
   * has checked the algorithm of the token.
   *
   * @throws {Refusal} if the keys cannot be fetched
   */
  readonly verifyWithKeySet: KeySetVerifier;
  /** Returns another issuer, with metadata and keys of its own, called in the same way. */
  at(issuer: string): Provider;
  health(): Status["provider"];
  /** What is wrong with the clock of this machine, by the provider's; `null` while they agree. */
  clockFault(): string | null;
  /** Fetches metadata and keys before anybody needs them; never rejects. */
  warmUp(): Promise<void>;
}

export interface ProviderDeps extends Pick<
  Runtime,
  "clock" | "timing" | "fraction" | "log" | "background"
> {
  readonly config: Config;
  /** The Fetch API of the app or of the runtime. */
  readonly fetch: Fetch;
  readonly observer?: Pick<Observer, "measure" | "run">;
}

export function createProvider(deps: ProviderDeps): Provider {
  const { config, clock, log } = deps;
  const carry = createProviderFetch({ fetch: deps.fetch, timeoutMs: config.httpTimeout, clock });
  const providerClock = createProviderClock({ clock, log, clockTolerance: config.clockTolerance });
  const reachability = createReachability({ fetch: deps.fetch, clock });
  const call = hearing(observeCalls(carry, deps), {
    onResponse(response, address) {
      providerClock.hear(response);
      reachability.responded(address);
    },
    onError: reachability.failed,
  });
  const state = createProviderState(log, clock);
  const readMembers = createMemberReader(log);
  const { metadata, keys } = createDocuments(deps, { call, state, readMembers });
  const verifyWithKeySet = createKeySetVerifier({ keys, clock });
  return {
    fetch: createGuardedFetch(call, deps.timing, () =>
      createBreaker(deps, state, endpointOpensAfter),
    ),
    metadata: () => metadata.get(),
    readMembers,
    check: runChecks,
    checkReachable: reachability.check,
    verifySignature: createSignatureVerifier(config, keys, verifyWithKeySet),
    verifyWithKeySet,
    at: (issuerBaseURL) =>
      createProvider({ ...deps, config: { ...config, issuerBaseURL, metadataURL: undefined } }),
    clockFault: providerClock.fault,
    health: () => ({
      state: state.isDown() ? "down" : "up",
      metadataAgeMs: metadata.ageMs(),
      keysAgeMs: keys.ageMs(),
    }),
    async warmUp() {
      const needsKeys = !config.idTokenSigningAlg.startsWith("HS");
      await Promise.allSettled([metadata.get(), ...(needsKeys ? [keys.get()] : [])]);
    },
  };
}

interface CallListeners {
  onResponse(response: Response, address: string): void;
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
  { clock, fraction }: ProviderDeps,
  state: ProviderState,
  opensAfter: number,
): CircuitBreaker {
  const onOpen = (refusal: Refusal) => state.failing(refusal);
  return createCircuitBreaker({ backOff: providerBackOff, opensAfter, clock, fraction, onOpen });
}

interface DocumentSources {
  readonly call: ProviderFetch;
  readonly state: ProviderState;
  readonly readMembers: MemberReader;
}

/** The documents published by the provider: metadata and keys. */
function createDocuments(deps: ProviderDeps, { call, state, readMembers }: DocumentSources) {
  const { config, clock, timing, background } = deps;
  // Metadata may take two calls: one redirect is followed.
  const loadTimeoutMs = config.httpTimeout * 2;
  const shared = {
    loadTimeoutMs,
    clock,
    timing,
    runInBackground: (work: Promise<unknown>) => background.run("renewal", work),
  };
  const metadata = staleWhileRevalidateCache({
    ...shared,
    breaker: createBreaker(deps, state, 1),
    load: () => fetchMetadata(config, call, readMembers),
  });
  const keys = staleWhileRevalidateCache({
    ...shared,
    breaker: createBreaker(deps, state, 1),
    load: async () => {
      const { jwks_uri: address = "" } = await metadata.get();
      return fetchKeys(address, call, readMembers);
    },
  });
  return { metadata, keys };
}
