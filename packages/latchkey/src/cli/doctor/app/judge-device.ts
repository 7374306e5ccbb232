import { bare, isResponse, locationOf } from "../ask.ts";
import { failure, type Judgement, ok } from "../finding.ts";
import type { AppAnswers } from "./ask-app.ts";

/**
 * The route itself answers 400 to a request without a proof. Browsers end the binding of a session
 * after 401, 404, 429 or a redirect, and skip the proof after 5xx.
 */
export function judgeDevice({ device, config }: AppAnswers): Judgement {
  if (!isResponse(device) || device.status === 400) return ok;
  const at = `POST ${bare(device.url)}`;
  const { status } = device;
  const to = locationOf(device);
  if (to !== null) {
    return failure(
      `${at} redirects to ${bare(to.href)}: browsers end the binding of a session there.`,
      `Leave ${config.routes.device} out of redirects for https, hosts, slashes and languages.`,
    );
  }
  if (status === 404) {
    return failure(
      `${at} answers 404: no session is bound to its device.`,
      "Restart the app with LATCHKEY_SESSION_DEVICE_BOUND at every instance, and let the proxy pass the route on.",
    );
  }
  return failure(
    `${at} answers ${status} in place of 400: a proxy, a firewall or a limit of requests comes before Latchkey.`,
    `Let POST ${config.routes.device} pass without a body, a cookie or a token, with its status as it is.`,
  );
}
