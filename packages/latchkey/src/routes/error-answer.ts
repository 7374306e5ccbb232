import { orElse } from "../awaitable.ts";
import { absolute, homeURL, loginURL } from "../access/addresses.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import type { Problem, ProblemKind } from "../errors/problem.ts";
import { reasons } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import { type BodyKind, preferredBody } from "../http/accept.ts";
import { type Answer, html, json, text } from "../http/answers.ts";
import { cookieHeaders, type HeaderList, noStoreHeaders } from "../http/headers.ts";
import { oneLine } from "../oidc/client-call.ts";
import { plainProblemPage } from "./problem-page.ts";

/** The route that failed, by the name the log knows it. */
export type RouteName = "login" | "callback" | "logout" | "me" | "session" | "guard" | "unknown";

/**
 * The one place where an error becomes an answer: the status of its reason, a body in the shape that the client
 * reads, one log event, and the same reference in both.
 */
export async function errorAnswer(
  context: Context,
  request: Request,
  route: RouteName,
  error: unknown,
): Promise<Answer> {
  const failure = describe(route, error);
  const problem = problemOf(context, failure);
  logFailure(context, route, failure, problem);
  const shape = preferredBody(request);
  const headers = [
    ...(await cacheAndSession(context, request)),
    ...headersOf(failure, problem, shape),
  ];
  return respond(context, request, problem, { shape, headers });
}

/** What was done to the session before the failure must reach the browser: a refresh token is spent only once. */
async function cacheAndSession({ visits }: Context, request: Request): Promise<HeaderList> {
  const visit = await orElse(
    () => visits.of(request),
    () => undefined,
  );
  return visit?.headers ?? noStoreHeaders;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly refusal: Refusal;
  readonly aftermath: HandlerError["aftermath"];
}

function describe(route: RouteName, error: unknown): Failure {
  if (error instanceof HandlerError) return error;
  if (route === "unknown" || route === "session" || route === "guard") {
    const refusal = error instanceof Refusal ? error : new Refusal("internal", { cause: error });
    return { code: refusal.code, message: refusal.message, refusal, aftermath: {} };
  }
  return new HandlerError(route, error);
}

function problemOf(context: Context, failure: Failure): Problem {
  const { config } = context;
  const { refusal, aftermath, code, message } = failure;
  const { returnTo, onward } = aftermath;
  const { kind, status } = reasons[refusal.reason];
  return {
    kind: kindFor(kind, failure),
    status,
    reference: textOr("----", () => referenceFrom(context.randomText(6))),
    time: textOr("", () => new Date(context.clock()).toISOString()),
    code,
    reason: refusal.reason,
    message,
    signInURL: loginURL(config, { returnTo }),
    switchAccountURL: loginURL(config, { returnTo, prompt: "select_account" }),
    homeURL: homeURL(config),
    formURL: absolute(config, config.routes.logout),
    ...(onward === undefined ? {} : { onward }),
    ...(refusal.providerText === undefined ? {} : { providerText: oneLine(refusal.providerText) }),
    ...(kind === "organization" ? { organization: organizationOf(config, refusal) } : {}),
  };
}

/** Where even clock or randomness fail there is an answer all the same. */
function textOr(fallback: string, make: () => string): string {
  try {
    return make();
  } catch {
    return fallback;
  }
}

/** The same fault reads differently at the start of a sign-in, and where the address holds no sign-in at all. */
function kindFor(kind: ProblemKind, { code }: Failure): ProblemKind {
  const isStart = code === "ERR_LOGIN_HANDLER_FAILURE";
  return isStart && kind === "provider-unreachable-finish" ? "provider-unreachable-start" : kind;
}

function organizationOf(config: Config, { person }: Refusal): NonNullable<Problem["organization"]> {
  return {
    expected: config.organization ?? "",
    ...(person?.email === undefined ? {} : { email: person.email }),
    ...(person?.organization === undefined ? {} : { actual: person.organization }),
  };
}

const letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Eight letters that look like no other, from random text. */
function referenceFrom(random: string): string {
  const picked = Array.from(random, (each) => letters[each.charCodeAt(0) % letters.length]).join(
    "",
  );
  return `${picked.slice(0, 4)}-${picked.slice(4, 8)}`;
}

function logFailure(
  { log }: Context,
  route: RouteName,
  { refusal }: Failure,
  { reference, status }: Problem,
): void {
  const { reason, detail, cause } = refusal;
  log({
    event: "refusal",
    route,
    reason,
    status,
    reference,
    ...(detail === undefined ? {} : { detail: oneLine(detail) }),
    ...(reason === "internal" ? { error: cause } : {}),
  });
}

async function respond(
  context: Context,
  request: Request,
  problem: Problem,
  { shape, headers }: { readonly shape: BodyKind; readonly headers: HeaderList },
): Promise<Answer> {
  const { status, code, message, reference } = problem;
  if (shape === "html") return html(await page(context, request, problem), status, headers);
  if (shape === "text") return text(message, status, headers);
  const body = { error: code, error_description: message, request_id: reference };
  return json(body, status, headers);
}

/** A page that cannot be made must not hide what it was to tell. */
async function page(context: Context, request: Request, problem: Problem): Promise<string> {
  try {
    return await context.renderProblem(problem, request);
  } catch (error) {
    const { reference, status } = problem;
    context.log({ event: "refusal", route: "page", reason: "internal", status, reference, error });
    return plainProblemPage(problem);
  }
}

function headersOf({ aftermath }: Failure, problem: Problem, shape: BodyKind): HeaderList {
  const { onward, status } = problem;
  return [
    ["Referrer-Policy", "no-referrer"],
    ["X-Content-Type-Options", "nosniff"],
    ["X-Frame-Options", "DENY"],
    ...(status >= 500 ? [["Retry-After", "5"] as const] : []),
    ...(onward !== undefined && shape === "html" ? [["Refresh", `0; url=${onward}`] as const] : []),
    ...cookieHeaders(aftermath.setCookies ?? []),
  ];
}
