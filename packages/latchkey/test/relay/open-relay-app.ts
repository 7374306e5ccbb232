import { createAuth, type LogEvent, type Options } from "../../src/index.ts";
import { relay, type RelayOptions } from "../../src/relay/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { listenerOf, startServer } from "../servers/server.ts";
import { watchedStore } from "../watched-store.ts";

/** The settings of an app: data alone, so a process can have them as an argument. */
export interface RelayAppSettings {
  readonly options: Omit<Options, "baseURL" | "relay">;
  /** Default: the address at which it listens. */
  readonly baseURL?: Options["baseURL"];
  readonly relay?: RelayOptions | undefined;
  /** Default: a free one. */
  readonly port?: number;
}

/** What an app has done so far. */
export interface Facts {
  /** Its calls of the provider: paths. */
  readonly calls: readonly string[];
  readonly storeOperations: number;
  readonly events: readonly LogEvent[];
}

export interface RelayApp {
  /** The address at which it listens: http on this machine. */
  readonly origin: string;
  /** Moves its clock, and returns what it has done so far. */
  readonly facts: (advanceMs?: number) => Promise<Facts>;
  readonly close: () => Promise<void>;
}

/** Opens an app in this process. */
export async function openRelayApp(settings: RelayAppSettings): Promise<RelayApp> {
  const calls: string[] = [];
  const events: LogEvent[] = [];
  let storeOperations = 0;
  let aheadMs = 0;
  const { close, origin, serve } = await startServer({}, settings.port);
  const auth = createAuth({
    ...settings.options,
    baseURL: settings.baseURL ?? origin,
    relay: settings.relay && relay(settings.relay),
    store: watchedStore(memoryStore(), () => void (storeOperations += 1)),
    clock: () => Date.now() + aheadMs,
    log: (event) => void events.push(event),
    fetch: (address, init) => {
      calls.push(new URL(address).pathname);
      return fetch(address, init);
    },
  });
  await auth.ready();
  serve(listenerOf((request) => auth.respond(request, () => new Response("a page of the app"))));
  return {
    origin,
    close,
    async facts(advanceMs = 0) {
      aheadMs += advanceMs;
      return { calls: [...calls], storeOperations, events: [...events] };
    },
  };
}
