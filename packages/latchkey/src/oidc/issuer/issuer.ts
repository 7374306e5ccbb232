import type { JSONObject } from "../../crypto/json-object.ts";
import type { Place } from "../../telemetry/place.ts";
import type { ProviderStatus } from "../../telemetry/telemetry.ts";
import type { KeySetVerifier } from "./key-set-verifier.ts";
import { checkFits, type Metadata } from "./metadata.ts";
import {
  type IssuerDeps,
  type IssuerSettings,
  type Provider,
  type SharedProvider,
  sharedProvider,
} from "./provider.ts";
import type { MemberReader } from "./provider-document.ts";
import type { ProviderFetch } from "./provider-fetch.ts";
import type { SigningKey } from "./signing-keys.ts";
import { isAdmittedIssuer, issuerFor } from "./tenants.ts";

export type { IssuerDeps } from "./provider.ts";

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
    return createIssuerFor(settings, known);
  };
}

/** Opens the issuer of the only client that it has. */
export function createIssuer(client: IssuerSettings, deps: IssuerDeps): Issuer {
  const settings = pickIssuerSettings(client);
  return createIssuerFor(settings, sharedProvider(settings, deps));
}

/** Until its first call it has little in memory: functions, and no getters, which cost far more. */
function createIssuerFor(client: IssuerSettings, shared: SharedProvider): Issuer {
  let opened: Issuer | undefined;
  const { issuerBaseURL: name, tenants, httpTimeout: timeoutMs } = client;
  shared.addClient(client);
  const open = () => (opened ??= openIssuerFor(client, shared.open()));
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

function openIssuerFor(client: IssuerSettings, provider: Provider): Issuer {
  const { issuerBaseURL: name, tenants, httpTimeout: timeoutMs } = client;
  const { idTokenSigningAlg } = client;
  const { metadata: documents, keys } = provider;
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
    fetch: provider.fetchFor(client),
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
