import type { Config } from "../config/config.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { networkOf } from "../http/client-network.ts";
import { type DeviceTrace, deviceTrace } from "../session/device-trace.ts";

/** What may be remembered of the browser of a request. */
export function deviceOfRequest({ session }: Config, request: HostRequest): DeviceTrace {
  const from = session.networkFrom;
  const network = from === null ? undefined : networkOf(request, from);
  return deviceTrace(request.headers.get("user-agent"), network);
}
