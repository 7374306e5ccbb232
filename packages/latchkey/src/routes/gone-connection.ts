import type { Config } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Connections } from "../oidc/connections.ts";
import type { Exchange } from "../request/exchange.ts";
import type { TransactionCookies } from "../transaction/transaction-cookies.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { hasState, originOf } from "./find-transaction.ts";
import { readResponse } from "./read-response.ts";
import { restartElsewhere } from "./restart-elsewhere.ts";

/** What is needed of the engine to know a pending login again. */
interface Pending {
  readonly config: Config;
  readonly connections: Connections;
  readonly signIns: { readonly transactions: TransactionCookies };
}

/**
 * Why a response at the address of an unknown client counts for nothing, if this browser has begun
 * a sign-in there before the connection was removed; `null` for any other request. The pending
 * login stays: another instance may still know the connection.
 */
export async function goneConnection(
  { config, connections, signIns }: Pending,
  exchange: Exchange,
): Promise<HandlerError | null> {
  const { request, cookies } = exchange;
  if (request.method !== "GET" && request.method !== "POST") return null;
  const pending = signIns.transactions.read(cookies).map(({ transaction }) => transaction);
  const here = pending.filter(
    (each) => typeof each === "object" && each.origin === originOf(config),
  ) as readonly Transaction[];
  if (here.length === 0) return null;
  const response = await readResponse(request).catch(() => null);
  const found = here.find((each) => hasState(each, response?.parameters.get("state")));
  const isGone =
    found !== undefined && (await connections.byID(found.connection ?? defaultID)) === null;
  if (!isGone) return null;
  const detail = "the connection of the sign-in is not there any more";
  const recovery = restartElsewhere({ config, connections }, exchange, found);
  return new HandlerError("callback", new Refusal("connection_mismatch", { detail }), recovery);
}
