import {
  type ProviderSettings,
  type RunningCustomers,
  startCustomers,
  startProvider,
} from "@latchkey/provider";
import type { Auth } from "latchkey";
import { afterAll, beforeAll, onTestFinished } from "vitest";

import type { Browser } from "../../../packages/latchkey/test/browser/browser.ts";
import type {
  WireRequest,
  WireResponse,
} from "../../../packages/latchkey/test/hosts/world/wire.ts";
import { publicPaths } from "../example.ts";
import type { HostDescription } from "../host.ts";

/**
 * A host driven by the rows over sockets: a built and started application, or one in this process.
 */
export interface DrivenHost extends HostDescription {
  /** Of two users at the same time. Default: 200. */
  readonly parallelRequests?: number;
  readonly start: (settings?: WorldSettings) => Promise<World>;
}

export interface WorldSettings {
  /** Variables of the application other than the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly provider?: ProviderSettings;
  /** Customers with a provider of their own, beside that of everybody. */
  readonly customers?: readonly string[];
}

/** The local provider, and those of customers, for an application at this address. */
export async function startProviders(
  { provider, customers = [] }: Pick<WorldSettings, "customers" | "provider">,
  appURL: string,
): Promise<RunningCustomers> {
  const settings = { appURL, ...provider };
  if (customers.length > 0) return startCustomers(customers, settings);
  return { ...(await startProvider(settings)), customers: {}, connections: {}, variables: {} };
}

/** The application on the host, and the local provider beside it. */
export interface World {
  readonly baseURL: string;
  readonly provider: RunningCustomers;
  /** Sign-in with the same settings, and no host around it. */
  readonly engine: Auth;
  browser(): Browser;
  /** A new browser, in which this person has signed in. */
  signedIn(person?: string): Promise<Browser>;
  /** One request over a socket of its own, byte for byte. */
  send(request: WireRequest): Promise<WireResponse>;
  /** Lets so many seconds pass for the application. */
  pass(seconds: number): Promise<void>;
  /** What the application has logged so far. */
  log(): string;
  /** Complaints of its process: its end, warnings, unhandled rejections. */
  complaints(): readonly string[];
  close(): Promise<void>;
}

/** These paths, and those of the host, as a setting. */
export function publicVariable(
  { publicPaths: own = "" }: HostDescription,
  paths: readonly string[] = publicPaths,
): { readonly LATCHKEY_PUBLIC_PATHS: string } {
  return { LATCHKEY_PUBLIC_PATHS: `${paths.join(" ")} ${own}` };
}

/** Starts a world, and closes it at the end of the test. */
export async function worldOfTest<Of extends World>(
  host: Startable<Of>,
  settings?: WorldSettings,
): Promise<Of> {
  const world = await host.start(settings);
  onTestFinished(() => world.close());
  return world;
}

/** One world for all tests of a `describe`. */
export function sharedWorld<Of extends World>(
  host: Startable<Of>,
  settings?: WorldSettings,
): () => Of {
  let world: Of;
  beforeAll(async () => {
    world = await host.start(settings);
  });
  afterAll(() => world?.close());
  return () => world;
}

interface Startable<Of> {
  readonly start: (settings?: WorldSettings) => Promise<Of>;
}
