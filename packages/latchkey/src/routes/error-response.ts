import type { Runtime } from "../config/runtime.ts";
import { inWordsOf } from "../config/connection-ids.ts";
import { defaultID } from "../config/constants.ts";
import { absolute, chooserURL, homeURL, loginURL } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import { toSession } from "../session/lifetime.ts";
import { requestDevice } from "../request/request-device.ts";
import { type Context, placeOf } from "../context.ts";
import { sentenceOf, type UnmetRequirement } from "../errors/access-errors.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { oneLine } from "../errors/one-line.ts";
import type { Problem } from "../errors/problem.ts";
import type { ProblemKind } from "../errors/problem-kind.ts";
import { type Reason, reasons } from "../errors/reasons.ts";
import { referenceOf } from "../telemetry/reference.ts";
import { type Refusal, refusalOf } from "../errors/refusal.ts";
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

/** The failed route, by its name in the log. */
export type RouteName =
  | "login"
  | "callback"
  | "logout"
  | "me"
  | "session"
  | "signed-out"
  | "kept-form"
  | "guard"
  | "refused"
  | "app"
  | "unknown";

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
  const failure = describe(route, error);
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

type Failure = Pick<HandlerError, "message" | "refusal" | "recovery"> &
  Partial<Pick<HandlerError, "started">> &
  Pick<Problem, "code">;

function describe(route: RouteName, error: unknown): Failure {
  if (error instanceof HandlerError) return error;
  if (route === "login" || route === "callback" || route === "logout" || route === "me") {
    return new HandlerError(route, error);
  }
  const refusal = refusalOf(error);
  const { code, message, returnTo } = refusal;
  return { code, message, refusal, recovery: { returnTo } };
}

function problemOf(context: Context, failure: Failure, shape: BodyKind): Problem {
  const { config } = context;
  const { refusal, recovery, code, message } = failure;
  const { connection, returnTo, redirectTo, shared } = recovery;
  const { appText = "", providerText, largestParts, unmet, stepUp } = refusal;
  const detail = detailOf(failure);
  const { page: kindOfReason, status } = reasons[refusal.reason];
  const kind = refusal.page ?? kindOfReason;
  return {
    kind: kindFor(kind, failure),
    // Only a page can ask for a confirmation: a script must not take the question for a success.
    status: kind === "confirm-sign-out" && shape !== "html" ? 403 : status,
    reference: orElse("----", () => referenceOf(context.randomText(6))),
    time: orElse("", () => new Date(context.clock()).toISOString()),
    // A refusal in the app's own words is no failure of a handler.
    code: appText === "" ? code : refusal.code,
    reason: refusal.reason,
    message: appText === "" ? message : refusal.message,
    signInURL: loginURL(config, { connection, returnTo, shared, stepUp }),
    switchAccountURL: loginURL(config, { connection, returnTo, shared, prompt: "select_account" }),
    ...waysOf(context, kind, recovery),
    homeURL: homeURL(config),
    formURL: absolute(config, config.routes.logout),
    detail: config.production ? undefined : detail,
    redirectTo,
    // The provider's words are shown, but not at any length.
    providerText: providerText && oneLine(providerText, 300),
    appText: oneLine(appText, 300).trim() || undefined,
    largestParts,
    unmet: unmet.length === 0 ? undefined : unmetFor(context.connections, shape, unmet),
    organization: aboutPerson.has(kind) ? organizationOf(refusal) : undefined,
  };
}

/** A page names a connection as users know it. */
function unmetFor(
  { all }: Connections,
  shape: BodyKind,
  unmet: readonly UnmetRequirement[],
): readonly UnmetRequirement[] {
  if (shape !== "html") return unmet;
  const labelOf = (id: string) => all.find((each) => each.id === id)?.label ?? id;
  return unmet.map((each) =>
    each.part === "connection" ? { ...each, required: each.required.map(labelOf) } : each,
  );
}

const clientSettings = "LATCHKEY_CLIENT_ID, LATCHKEY_CLIENT_SECRET and LATCHKEY_CLIENT_AUTH_METHOD";
const ownClock = "the clock of this server";

/** Likely causes of a failed call to a working provider, or of a rejection by either side. */
const suspects: Partial<Readonly<Record<Reason, string>>> = {
  client_rejected: clientSettings,
  pushed_request_rejected: clientSettings,
  issuer_mismatch: "LATCHKEY_ISSUER_BASE_URL",
  metadata_invalid: "LATCHKEY_ISSUER_BASE_URL",
  provider_unreachable: "LATCHKEY_ISSUER_BASE_URL",
  tenant_not_admitted: "LATCHKEY_TENANTS",
  token_algorithm: "LATCHKEY_ID_TOKEN_SIGNING_ALG",
  token_expired: ownClock,
  token_issued_at: ownClock,
  token_not_yet_valid: ownClock,
};

/** What was expected and received, and what to check, on one line and of its connection. */
function detailOf({ refusal, recovery }: Failure): string | undefined {
  const { detail, reason, suspect = suspects[reason] } = refusal;
  const parts = [detail ?? [], suspect === undefined ? [] : `check ${suspect}`].flat();
  if (parts.length === 0) return undefined;
  return inWordsOf(recovery.connection ?? defaultID, parts.join("; "));
}

/** Responds even if clock or randomness fail. */
function orElse<T>(fallback: T, make: () => T): T {
  try {
    return make();
  } catch {
    return fallback;
  }
}

/** Problems which name the user that the provider has named. */
const aboutPerson: ReadonlySet<ProblemKind> = new Set(["email-domain", "organization"]);

/** Where there are several ways to sign in: which one it was, and the page with the others. */
function waysOf(
  { config, connections }: Context,
  kind: ProblemKind,
  { connection, returnTo }: Failure["recovery"],
): Pick<Problem, "otherWaysURL" | "provider"> {
  if (connections.default.named === undefined) return {};
  const failed = connections.all.find(({ id }) => id === connection);
  const refused: readonly (readonly [string, string])[] =
    kind === "provider-refused" && failed !== undefined
      ? [["notice", "refused"] as const, ["from", failed.id] as const]
      : [];
  const wanted = returnTo === undefined ? [] : [["returnTo", returnTo] as const];
  return { otherWaysURL: chooserURL(config, [...refused, ...wanted]), provider: failed?.label };
}

/** Distinguishes the same fault at the start and at the end of a sign-in. */
function kindFor(kind: ProblemKind, { code }: Failure): ProblemKind {
  const isStart = code === "ERR_LOGIN_HANDLER_FAILURE";
  return isStart && kind === "provider-unreachable-finish" ? "provider-unreachable-start" : kind;
}

function organizationOf({ person }: Refusal): NonNullable<Problem["organization"]> {
  const { email, organization: actual, expected = "", isUnconfirmed } = person ?? {};
  return { expected, email, actual, isUnconfirmed };
}

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
  const device = requestDevice(context.config, request);
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
