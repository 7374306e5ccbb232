import { chooserPath, isLogin, isOfConnection } from "../config/addresses.ts";
import { doctorHeader } from "../config/constants.ts";
import type { HostContext } from "../host/host-context.ts";
import type { HostRequest } from "../http/auth-request.ts";
import type { Followed } from "./followed.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { recordCallback } from "./record-callback.ts";
import { recordLogin } from "./record-login.ts";
import type { RecentSignIns } from "./recent-sign-ins.ts";
import { noteForm, type Seen, watchContext } from "./watch-context.ts";
import { withoutTrailingSlash } from "../http/trailing-slash.ts";

interface Received {
  readonly request: HostRequest;
  readonly context: HostContext;
  /** Of the app, without its base path. */
  readonly path: string;
}

interface Recorder extends Pick<Followed, "secrets"> {
  readonly signIns: RecentSignIns;
  readonly inspectorURL: string;
}

/** Which half of a sign-in a path is, of whatever connection; `null` for other paths. */
function halfAt(config: HostContext["config"], path: string): "login" | "callback" | null {
  const { prefix, callback } = config.routes;
  if (path === callback || isOfConnection(`${prefix}/callback`, path)) return "callback";
  return isLogin(config, path) || path === chooserPath(config) ? "login" : null;
}

/** Lets a request through sign-in, and records it if it is a step of a sign-in. */
export async function followRequest<Result extends object>(
  { signIns, inspectorURL, secrets }: Recorder,
  { request, context, path }: Received,
  receive: (request: HostRequest, context: HostContext) => Promise<Result>,
): Promise<Result> {
  const { config, clock } = context;
  const log: HostContext["log"] = (event) => {
    signIns.note(event, clock());
    context.log(event);
  };
  const route = withoutTrailingSlash(path);
  const half = halfAt(config, route);
  if (half === null || isProbe(request)) return receive(request, { ...context, log });
  const seen: Seen = { calls: [], noted: [{ step: "Parameters" }] };
  const at = clock();
  const isForm = half === "callback" && request.method === "POST";
  const result = await receive(
    isForm ? noteForm(request, seen) : request,
    watchContext({ ...context, log }, seen, inspectorURL),
  );
  const { response } = result as { readonly response?: ResponseParts };
  if (response === undefined) return result;
  try {
    const followed: Followed = { request, context, secrets, seen, response, at };
    if (half === "login") recordLogin(signIns, followed);
    else recordCallback(signIns, followed);
  } catch (error) {
    context.log({ event: "warning", message: `The inspector failed: ${String(error)}` });
  }
  return result;
}

/** What the doctor begins and never finishes must not push sign-ins of users off the list. */
function isProbe({ headers }: HostRequest): boolean {
  return headers.get(doctorHeader) !== null;
}
