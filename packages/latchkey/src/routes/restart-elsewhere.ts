import { chooserURL, loginURL } from "../config/addresses.ts";
import type { Config } from "../config/config.ts";
import type { Recovery } from "../errors/handler-error.ts";
import { isNoNavigation } from "../http/fetch-metadata.ts";
import type { Connections } from "../oidc/connections.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Transaction } from "../transaction/transaction.ts";

/** Leads a user whose connection is gone to the ways to sign in, with the same destination. */
export function restartElsewhere(
  { config, connections }: { readonly config: Config; readonly connections: Connections },
  { request }: Exchange,
  { returnTo }: Pick<Transaction, "returnTo">,
): Recovery {
  if (isNoNavigation(request)) return { returnTo };
  const redirectTo =
    connections.default.named === undefined
      ? loginURL(config, { returnTo, restart: "1" })
      : chooserURL(config, [
          ["notice", "removed"],
          ["returnTo", returnTo],
        ]);
  return { returnTo, redirectTo };
}
