import { type ProviderSettings, type RunningProvider, startProvider } from "@latchkey/provider";

import type { Options } from "../../src/index.ts";
import { atEnd } from "../at-end.ts";
import { type Browser, createBrowser } from "../browser/browser.ts";
import { edgeOf } from "./edge.ts";
import { openRelayApp, type RelayApp } from "./open-relay-app.ts";
import { startRelayApp } from "./start-relay-app.ts";

export const production = "https://shop.example";
const relaySecret = "a-relay-secret-of-the-tests-0123456789";

/** Production and a preview, each an app behind its https host, with one client. */
export interface Shop {
  readonly provider: RunningProvider;
  readonly relay: RelayApp;
  readonly app: RelayApp;
  /** A new browser at the preview. */
  browser(): Browser;
}

export interface ShopSettings {
  /** The base URL of the preview. */
  readonly preview: string;
  /** The origins of the relay. */
  readonly origins: readonly string[];
  readonly options?: Partial<Options>;
  readonly provider?: ProviderSettings;
  /** Whether each app is a process of its own. Default: both are in this one */
  readonly inProcesses?: boolean;
}

export async function startShop(settings: ShopSettings): Promise<Shop> {
  const { preview, origins, inProcesses = false } = settings;
  const start = inProcesses ? startRelayApp : openRelayApp;
  const provider = await startProvider({ appURL: production, ...settings.provider });
  atEnd(() => provider.close());
  const [client] = provider.clients;
  const options = {
    issuerBaseURL: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    ...settings.options,
  };
  const [relay, app] = await Promise.all([
    start({
      baseURL: production,
      options: { ...options, secret: "the-secret-of-production-0123456789" },
      relay: { secret: relaySecret, origins },
    }),
    start({
      baseURL: preview,
      options: { ...options, secret: "the-secret-of-the-preview-0123456789" },
      relay: { secret: relaySecret, url: production },
    }),
  ]);
  for (const each of [relay, app]) atEnd(each.close);
  const edge = edgeOf({ [production]: relay.origin, [new URL(preview).origin]: app.origin });
  return { provider, relay, app, browser: () => createBrowser(preview, edge) };
}
