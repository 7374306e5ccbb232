import type { Client } from "../telemetry/log-event.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { deviceTrace } from "../session/device-trace.ts";
import type { HostContext } from "./host-context.ts";

/**
 * The context of one request, whose events name the client. The shared one, if the settings name no
 * header for it.
 */
export function withClientLog(context: HostContext, { headers }: HostRequest): HostContext {
  const { clientAddressHeader } = context.config;
  if (clientAddressHeader === undefined) return context;
  const client = {
    ...addressIn(headers.get(clientAddressHeader)),
    ...deviceTrace(headers.get("user-agent")),
  };
  return { ...context, log: (event) => context.log({ ...event, client }) };
}

/** Longer than any address of IPv6 with its zone and port. */
const longestAddress = 100;

/**
 * Each proxy adds the address it sees at the end. The client may have written everything before.
 */
function addressIn(header: string | null): Pick<Client, "address"> {
  const address = header?.split(",").at(-1)?.trim() ?? "";
  const isAddress = /^[\w.:[\]%-]+$/.test(address) && address.length <= longestAddress;
  return isAddress ? { address } : {};
}
