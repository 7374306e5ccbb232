import type { Runtime } from "../config/runtime.ts";
import type { Exchange } from "../request/exchange.ts";
import { toSession } from "../session/lifetime.ts";
import { deviceOfRequest } from "../request/device-of-request.ts";
import { type Context, placeOf } from "../context.ts";
import { sentenceOf } from "../errors/access-errors.ts";
import { HandlerError } from "../errors/handler-error.ts";
import type { Problem } from "../errors/problem.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { type BodyKind, preferredBody } from "../http/accept.ts";
import { errorJSON } from "../http/error-json.ts";
import { cookieHeaders, type HeaderList } from "../http/headers.ts";
import { html, type PageWithPolicy, type ResponseParts, text } from "../http/response-parts.ts";
import type { Connections } from "../oidc/connections.ts";
import { activeSession } from "../session/read-session.ts";
import type { Session } from "../session/session.ts";
import type { Place } from "../telemetry/place.ts";
import { createBuiltInPages } from "./built-in-pages.ts";
import {
  aboutPerson,
  describeFailure,
  detailOf,
  type Failure,
  orElse,
  problemOf,
  type RouteName,
} from "./problem-of.ts";

/**
 * The one place where an error becomes a response: the status of its reason, a body in a format
 * accepted by the client, one log event, and the same reference in both.
 */
export async function errorResponse(
  context: Context,
  exchange: Exchange,
  route: RouteName,
  error: unknown,
): Promise<ResponseParts> {
  const { request } = exchange;
  const failure = describeFailure(route, error);
  // A script gets refusals of the user or of the app's paths in the format of the guard's 401.
  const isJSON = forScripts.has(route) || failure.refusal.appText !== undefined;
  const shape = preferredBody(request, isJSON ? "json" : "text");
  const problem = problemOf(context, failure, shape);
  logFailure(context, route, failure, problem);
  reportRefusal(context, request, failure, problem);
  const headers = headersOf(failure, problem, shape);
  const parts = await respond(context, exchange, problem, { route, shape, headers });
  return failure instanceof HandlerError ? { ...parts, error: failure } : parts;
}

const forScripts: ReadonlySet<RouteName> = new Set(["guard", "app", "refused"]);

interface Logged extends Pick<Runtime, "clock" | "log"> {
  readonly connections: Connections;
}

function logFailure(
  { connections, log, clock }: Logged,
  route: RouteName,
  failure: Failure,
  { reference, status }: Problem,
): void {
  const { refusal, recovery, started } = failure;
  const { connection } = recovery;
  const { reason, kind, cause } = refusal;
  log({
    event: "refusal",
    ...placeOfID(connections, connection),
    route,
    reason,
    kind,
    status,
    reference,
    detail: detailOf(failure),
    error: reason === "internal" ? cause : undefined,
    durationMs:
      started === undefined ? undefined : orElse(undefined, () => Math.max(0, clock() - started)),
  });
}

/** A connection was chosen a moment ago, so it is at hand. */
function placeOfID({ byID }: Connections, connection: string | undefined): Place {
  const found = connection === undefined ? null : byID(connection);
  if (found === null) return {};
  if (!(found instanceof Promise)) return placeOf(found);
  found.catch(() => undefined);
  return { connection };
}

/** Reports the refused sign-in of a verified user. */
function reportRefusal(
  context: Context,
  request: HostRequest,
  { recovery: { subTag } }: Failure,
  { reference }: Problem,
): void {
  if (subTag === undefined) return;
  const device = deviceOfRequest(context.config, request);
  context.onUserEvent({ event: "sign-in-refused", subTag, reference, device });
}

interface Shown {
  readonly route: RouteName;
  readonly shape: BodyKind;
  readonly headers: HeaderList;
}

async function respond(
  context: Context,
  exchange: Exchange,
  problem: Problem,
  { route, shape, headers }: Shown,
): Promise<ResponseParts> {
  const { status, code, message, appText, reference, unmet = [] } = problem;
  if (shape === "html") return html(await page(context, exchange, problem, route), status, headers);
  const description = appText ?? [message, ...unmet.map(sentenceOf)].join(" ");
  if (shape === "text") return text(description, status, headers);
  const body = { error: code, description, reference };
  return errorJSON(unmet.length === 0 ? body : { ...body, unmet }, status, headers);
}

/** Returns the page of a problem, or the built-in one if the app's page fails. */
async function page(
  context: Context,
  exchange: Exchange,
  problem: Problem,
  route: RouteName,
): Promise<string | PageWithPolicy> {
  try {
    const isShown = showsUser.has(route) || aboutPerson.has(problem.kind);
    const session = isShown ? await shownSession(context, exchange) : null;
    return await context.pages.problem(problem, exchange.request, session);
  } catch (error) {
    const { reference, status } = problem;
    context.log({ event: "refusal", route: "page", reason: "internal", status, reference, error });
    return createBuiltInPages(context.config).problem(problem);
  }
}

/**
 * Problems of the app's own pages. Other sites can open auth routes, so those name no user, unless
 * the provider has just proved one.
 */
const showsUser: ReadonlySet<RouteName> = new Set(["guard", "app", "kept-form"]);

/** Returns the session for a page. A failing store counts as none: the page must appear anyway. */
async function shownSession(context: Context, exchange: Exchange): Promise<Session | null> {
  const stored = activeSession(await exchange.read().catch(() => null));
  return stored && toSession(stored, context.connections.ofSession(stored.header).lifetime);
}

function headersOf({ recovery, refusal }: Failure, problem: Problem, shape: BodyKind): HeaderList {
  const { redirectTo, status } = problem;
  return [
    ["Referrer-Policy", "no-referrer"],
    ["X-Content-Type-Options", "nosniff"],
    ["X-Frame-Options", "DENY"],
    ...(status >= 500 ? [["Retry-After", `${refusal.retryAfterSeconds ?? 5}`] as const] : []),
    ...(redirectTo !== undefined && shape === "html"
      ? [["Refresh", `0; url=${redirectTo}`] as const]
      : []),
    ...cookieHeaders(recovery.setCookies ?? []),
  ];
}
