import type { Runtime } from "../config/runtime.ts";
import { callAt } from "../time/deadline.ts";
import type { AdmittedRequest } from "../host/admitted-request.ts";
import type { Call } from "../host/scheme.ts";
import type { HeaderList } from "../http/headers.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { CallerAuth, type Presented } from "./caller-auth.ts";
import { varyByCaller } from "./refuse.ts";

interface Admission {
  readonly presented: Presented;
  readonly pathScopes: readonly string[];
  /** What lets a script of another origin read the response. */
  readonly shared?: HeaderList;
  readonly recover: (error: unknown) => ResponseParts | null;
}

/** No shared cache may keep what was made for one caller. */
const callerHeaders: HeaderList = [
  ["Cache-Control", "private, no-store"],
  ["Vary", varyByCaller],
];

/** Admits a request with an access token. It carries no session, and its response sets none. */
export function admitCaller(
  { context, exchange: { request } }: Call,
  { presented, pathScopes, shared = [], recover }: Admission,
): AdmittedRequest {
  let onRefused: (error: unknown) => void = () => undefined;
  const onRefusal = (error: unknown) => onRefused(error);
  const ofToken = presented.principal === null ? [] : presented.headers;
  const headers = [...callerHeaders, ...ofToken, ...shared];
  return {
    request,
    exchange: null,
    auth: new CallerAuth({ context, presented, pathScopes, onRefusal }),
    carriesSession: async () => false,
    resources: async () => [],
    commit: () => headers,
    onRefused: (listener) => void (onRefused = listener),
    leadOf: () => null,
    onSessionEnd: async (listener) => onExpiry(context, presented, listener),
    recover(error) {
      const response = recover(error);
      return response === null ? null : (async () => response)();
    },
  };
}

/** A stream ends with the token of its request. */
function onExpiry(
  { clock }: Pick<Runtime, "clock">,
  { principal }: Presented,
  listener: () => void,
): () => void {
  if (principal === null) return () => undefined;
  return callAt(clock, principal.endsAt, listener);
}
