import { ambient } from "../ambient.ts";
import { type Config, connectionReader, readConfig } from "../config/config.ts";
import { faultsOfOptions } from "../config/option-forms.ts";
import type { Runtime } from "../config/runtime.ts";
import { checkSigningKeys } from "./check-signing-key.ts";
import { encodeBase64url } from "../crypto/base64url.ts";
import { createContexts } from "./create-context.ts";
import { createEngine, type EngineOptions } from "./create-engine.ts";
import type { HostContext } from "./host-context.ts";
import { exchangeSecrets } from "./exchange-secrets.ts";
import { isStore } from "./faults-of-code-options.ts";
import { createSites, type Sites } from "./sites.ts";
import { type OpenedPart, openParts } from "./part.ts";
import type { SeparatedOptions } from "./options.ts";
import { checkSharedStore } from "../stores/shared-store.ts";
import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import { ownRedirection } from "../oidc/redirection.ts";
import { describeRegistration, registrationsOf } from "../oidc/registrations.ts";
import type { Store } from "../stores/store.ts";

/** The engine, ready for requests. */
export interface OpenedEngine {
  readonly sites: Sites;
  /** What the parts of the app add. */
  readonly opened: OpenedPart;
}

/**
 * Checks settings, opens a store and the parts when they are first needed: `config` and `open`
 * throw a `ConfigError` with every fault.
 */
export function createOpener({ settings, store, ready, parts, faults }: SeparatedOptions) {
  let config: Config | undefined;
  let opening: Promise<OpenedEngine> | undefined;
  const ownStore = storeOpener(store);
  let stopWatching = () => {};
  const { clock = ambient.clock } = ready;
  const unlogged = [...(ready.warnings ?? [])];

  const checked = (): Config => (config ??= check({ settings, store, ready, parts }));

  async function openOnce(): Promise<OpenedEngine> {
    // Before anything can fail: a misspelt variable is often the cause.
    for (const message of unlogged.splice(0)) ready.log({ event: "warning", message });
    const { settled, usable } = await settle(checked, ownStore.open, faults);
    const connect = connectWith({ settings, store, ready, parts });
    const options = { ...ready, store: usable, connect };
    const engine = createEngine(settled, options);
    const opened = await openParts(parts, engine);
    const sites = createSites(settled, createContexts(engine, { ...options, opened }));
    if (ready.logsToConsole === true) printStart(settled, opened);
    stopWatching();
    stopWatching =
      ready.watchSecrets?.(exchangeSecrets(sites.primary, engine, settings, showExchanged)) ??
      stopWatching;
    return { sites, opened };
  }

  const showExchanged = (inForce: Partial<Config>) => void (config = { ...checked(), ...inForce });

  /** The next request tries a failed store again. Wrong settings stay wrong. */
  const open = (): Promise<OpenedEngine> =>
    (opening ??= openOnce().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));

  /** Does something with what is open; before the first request there is nothing to do. */
  const ifOpen = (use: (context: HostContext) => void): void =>
    void opening?.then(({ sites }) => use(sites.primary)).catch(() => undefined);

  const endStreams = (): void => ifOpen(({ streams }) => streams.endAll());

  async function close(): Promise<void> {
    stopWatching();
    endStreams();
    const made = await opening?.catch(() => null);
    if (made != null) await endBackground(made.sites.primary);
    await ownStore.close();
  }

  const context = async () => (await open()).sites.primary;

  return { config: checked, open, ifOpen, context, now: () => clock(), endStreams, close };
}

/**
 * Checks the settings and opens the store, and reports what is wrong with either at once.
 *
 * @throws {ConfigError} with these faults and those found before
 */
async function settle(
  read: () => Config,
  openStore: () => Promise<Store | null>,
  faults: readonly ConfigFault[],
): Promise<{ readonly settled: Config; readonly usable: Store | null }> {
  const outcomes = await Promise.allSettled([(async () => read())(), openStore()]);
  const [settled, usable] = outcomes;
  if (settled.status === "rejected" || usable.status === "rejected" || faults.length > 0) {
    throw new ConfigError([...outcomes.flatMap(faultsOf), ...faults]);
  }
  await checkSigningKeys(settled.value);
  checkSharedStore(usable.value?.kind, settled.value.instances);
  return { settled: settled.value, usable: usable.value };
}

type CheckedOptions = Pick<SeparatedOptions, "settings" | "store" | "ready" | "parts">;

/** Lets parts add connections, whose settings are read as those of the app are. */
function connectWith(options: CheckedOptions): EngineOptions["connect"] {
  if (options.parts.every(({ connect }) => connect === undefined)) return undefined;
  const { given, context } = prepareCheck(options);
  const readConnection = connectionReader(given, context);
  return (settled, deps) =>
    options.parts.reduce(
      (connections, part) =>
        part.connect?.(connections, { ...deps, readConnection }) ?? connections,
      settled,
    );
}

/** @throws {ConfigError} with every fault of the settings */
function check(options: CheckedOptions): Config {
  const { given, context, usable } = prepareCheck(options);
  return {
    ...readConfig(given, context),
    hasSessions: context.hasSessions,
    apiPaths: ["/api", ...usable.flatMap((part) => part.apiPaths?.() ?? [])],
  };
}

/** The settings of the app, and by what they are judged. */
function prepareCheck({
  settings,
  store,
  parts,
  ready: { random = ambient.random },
}: CheckedOptions) {
  const usable = parts.filter(({ written }) => faultsOfOptions(written).length === 0);
  const hasSessions = usable.every((part) => part.hasSessions?.() !== false);
  const hasLookUps = usable.some(({ connect }) => connect !== undefined);
  // An API alone seals no cookie: its secret is one that nothing else knows.
  const given = hasSessions
    ? settings
    : { ...settings, secret: settings.secret ?? encodeBase64url(random(32)) };
  return { given, usable, context: { hasStore: store !== undefined, hasSessions, hasLookUps } };
}

/** Shows a developer what to register at the provider, once, whatever framework starts the app. */
function printStart(config: Config, { redirection, sentence = "" }: OpenedPart): void {
  if (config.production || !config.hasSessions) return;
  const redirectionOf = (site: Config) => redirection?.(site) ?? ownRedirection(site);
  const registrations = registrationsOf(config, redirectionOf).map(describeRegistration);
  const [ofDefault = "", ...others] = registrations;
  ambient.print(`latchkey: the app is ${config.baseURL}. ${ofDefault}${sentence}`);
  for (const other of others.slice(0, printedAtMost)) ambient.print(`latchkey: ${other}`);
  for (const site of config.baseURLs.slice(1, 1 + printedAtMost))
    ambient.print(`latchkey: ${site} is a site of its own: a session counts at one site alone.`);
  const left = others.length - printedAtMost;
  if (left <= 0) return;
  ambient.print(`latchkey: ${left} more: latchkey doctor --connection <id> shows their addresses.`);
}

/** How many clients beside that of the flat settings the console shows. */
const printedAtMost = 20;

/**
 * Opens a store once, even if it is needed again. The app closes a store which it has opened
 * itself.
 */
function storeOpener(given: SeparatedOptions["store"]) {
  let opened: Store | undefined;
  return {
    async open(): Promise<Store | null> {
      if (typeof given !== "function") return given ?? null;
      const made = opened ?? (await given());
      if (!isStore(made)) throw new TypeError("what the function returns is no store");
      return (opened = made);
    },
    close: async () => opened?.close(),
  };
}

/** Milliseconds for work in the background before closing. */
const closeAtMostMs = 2000;

async function endBackground({
  background,
  log,
}: Pick<Runtime, "background" | "log">): Promise<void> {
  const cut = await background.close(closeAtMostMs);
  if (cut.length === 0) return;
  log({ event: "warning", message: `Not ended at close: ${cut.join(", ")}.` });
}

/** The faults of settings or store, and any other error of the function that opens the store. */
function faultsOf(outcome: PromiseSettledResult<unknown>): readonly ConfigFault[] {
  if (outcome.status === "fulfilled") return [];
  const error: unknown = outcome.reason;
  if (error instanceof ConfigError) return error.faults;
  return [
    {
      option: "store",
      variable: "LATCHKEY_STORE",
      message: `cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
      remedy:
        "See that the function passed as store can open it, such as () => openStore(address).",
    },
  ];
}
