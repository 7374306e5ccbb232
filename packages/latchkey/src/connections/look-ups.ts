import { connectionIDForm } from "../config/constants.ts";
import type { ConnectDeps } from "../host/part.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import { type Connection, createConnection } from "../oidc/connection.ts";
import type { Connections, ReplaceableConnections, ConnectionNames } from "../oidc/connections.ts";
import { createStandIn } from "../oidc/stand-in.ts";
import type { LookUpOptions } from "./look-up-options.ts";
import { isPublicAddress } from "./is-public-address.ts";
import { createLookUpCache, type LookUpCache } from "./look-up-cache.ts";
import { readID, readSettings } from "./read-answer.ts";
import { createRecentlyUsed } from "../time/recently-used.ts";

const usualCount = 1000;

/** Adds the connections that an app looks up to those of its settings. */
export function addLookUps(
  settled: ReplaceableConnections,
  options: LookUpOptions,
  deps: ConnectDeps,
): ReplaceableConnections {
  const ids = (look: LookUpOptions["byDomain"]) =>
    cacheOf<string>(options, deps, async (key) => readID((await look?.(key)) ?? null));
  const byDomain = ids(options.byDomain);
  const byIssuer = ids(options.byIssuer);
  const finder = createFinder(settled, options, deps);

  async function findNamed(cache: LookUpCache<string>, key: string): Promise<Connection | null> {
    const id = await cache.get(key);
    return id === null ? null : finder.byID(id);
  }

  return {
    get all() {
      return settled.all;
    },
    get default() {
      return settled.default;
    },
    ...finder,
    ...createSessionFinder(settled, finder, { options, deps }),
    looksUpDomains: options.byDomain !== undefined,
    ofDomain: async (domain) => (await settled.ofDomain(domain)) ?? findNamed(byDomain, domain),
    async ofIssuer(name) {
      const known = await settled.ofIssuer(name);
      const found = known ?? (mayBeIssuer(name) ? await findNamed(byIssuer, name) : null);
      return (await found?.issuer.isNamed(name)) === true ? found : null;
    },
    issuer: settled.issuer,
    replace: settled.replace,
  };
}

/** In characters; a stranger chooses the names, and each one is remembered for a while. */
const longestIssuer = 1000;

function mayBeIssuer(name: string): boolean {
  return name.length <= longestIssuer && URL.canParse(name);
}

type Finder = Pick<Connections, "byID" | "forget" | "known">;

function createFinder(settled: Connections, options: LookUpOptions, deps: ConnectDeps): Finder {
  const { issuers: admits = isPublicAddress } = options;
  const ofOne = { ...deps, admits, isOneOfSeveral: true };
  const made = cacheOf<Connection>(options, deps, async (id) => {
    const answer: unknown = (await options.byID(id)) ?? null;
    if (answer === null) return null;
    const settings = readSettings(id, answer, deps);
    const client = settings.uses === id ? null : await byID(settings.uses);
    return createConnection(settings, ofOne, client ?? undefined);
  });

  function byID(id: string): MaybePromise<Connection | null> {
    const known = settled.byID(id);
    if (known !== null || !connectionIDForm.test(id)) return known;
    try {
      return made.get(id);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  return { byID, forget: made.forget, known: () => [...settled.all, ...made.known()] };
}

/** Sessions go on while their connection cannot be looked up: one without settings stands in. */
function createSessionFinder(
  settled: Connections,
  { byID }: Finder,
  { options, deps }: { readonly options: LookUpOptions; readonly deps: ConnectDeps },
): Pick<Connections, "inSession" | "ofSession"> {
  const standIn = createStandIns(options, deps);
  return {
    inSession(names) {
      if (names.connection === undefined) return settled.inSession(names);
      const found = byID(names.connection);
      return found instanceof Promise ? found.catch(() => standIn(names)) : found;
    },
    ofSession(names) {
      if (names.connection === undefined) return settled.ofSession(names);
      const found = byID(names.connection);
      if (!(found instanceof Promise)) return found ?? standIn(names);
      // The log has its failure.
      found.catch(() => undefined);
      return standIn(names);
    },
  };
}

function cacheOf<Value>(
  options: LookUpOptions,
  { clock, timing, background, log }: ConnectDeps,
  look: (key: string) => Promise<Value | null>,
): LookUpCache<Value> {
  const { freshFor = 60, keepFor = 3600, atMost = usualCount, timeout = 2000 } = options;
  return createLookUpCache({
    look,
    clock,
    timing,
    atMost,
    freshForMs: freshFor * 1000,
    keepForMs: Math.max(freshFor, keepFor) * 1000,
    timeoutMs: timeout,
    runInBackground: (work) => background.run("renewal", work),
    onFault(key, { reason, detail }) {
      const message = `The look-up of connection ${key} failed: ${reason}, ${detail}`;
      log({ event: "warning", message: message.slice(0, longestMessage) });
    },
  });
}

const longestMessage = 1000;
/** Connections of sessions that go on while look-ups fail. */
function createStandIns({ atMost = usualCount }: LookUpOptions, deps: ConnectDeps) {
  const known = createRecentlyUsed<Connection>(atMost);
  return (names: ConnectionNames): Connection => {
    const key = JSON.stringify([names.connection, names.issuer, names.client]);
    const made = known.get(key) ?? createStandIn(names, deps);
    known.set(key, made);
    return made;
  };
}
