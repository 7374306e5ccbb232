import type { HostRequest } from "../http/auth-request.ts";
import { parseTarget } from "../http/request-target.ts";
import { hostUnknown } from "../routes/host-unknown.ts";
import { isOurError } from "./refuse.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import { createAnonymous } from "./anonymous.ts";
import { withClientLog } from "./client-log.ts";
import { guardOf } from "../request/guard/guarded-paths.ts";
import type { HostContext } from "./host-context.ts";
import { isOurPath } from "./route-table.ts";
import { authorityOf } from "./sites.ts";

/**
 * Answers a request for a host without a site with 421 (RFC 9110, section 15.5.20), before store
 * and provider. Public paths of the app are admitted without a caller.
 *
 * @param primary - the context of the primary site, which says what is public
 */
export function receiveAtUnknownHost(primary: HostContext, request: HostRequest): Received {
  const target = parseTarget(request.target);
  const isOpen =
    target !== null &&
    !isOurPath(primary.config, primary.pages, target) &&
    !guardOf(primary, request, target).isGuarded;
  return isOpen
    ? { admitted: admitAtUnknownHost(primary, request) }
    : { response: refuse(primary, request) };
}

/** Admits a request for a host without a site: none is signed in. */
export function admitAtUnknownHost(primary: HostContext, request: HostRequest): AdmittedRequest {
  const answer = async () => refuse(primary, request);
  let onRefused: (error: unknown) => void = () => undefined;
  return {
    request,
    exchange: null,
    auth: createAnonymous((error) => onRefused(error)),
    carriesSession: () => Promise.resolve(false),
    resources: () => Promise.resolve([]),
    commit: () => [],
    onRefused: (listener) => void (onRefused = listener),
    onSessionEnd: () => Promise.resolve(() => undefined),
    leadOf: () => null,
    recover: (error) => (isOurError(error) ? answer() : null),
  };
}

function refuse(primary: HostContext, request: HostRequest) {
  const { config } = primary;
  const host = authorityOf(request, config.hostHeader);
  return hostUnknown(withClientLog(primary, request), request, host);
}
