import type { Runtime } from "../config/runtime.ts";
import { inWordsOf } from "../config/connection-ids.ts";
import { defaultID } from "../config/constants.ts";
import { absolute, chooserURL, homeURL, loginURL } from "../config/addresses.ts";
import type { UnmetRequirement } from "../errors/access-errors.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { oneLine } from "../errors/one-line.ts";
import type { Problem } from "../errors/problem.ts";
import type { ProblemKind } from "../errors/problem-kind.ts";
import { type Reason, reasons } from "../errors/reasons.ts";
import { referenceOf } from "../telemetry/reference.ts";
import { type Refusal, refusalOf } from "../errors/refusal.ts";
import type { BodyKind } from "../http/accept.ts";
import type { Connections } from "../oidc/connections.ts";
import type { Config } from "../config/config.ts";

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

/** What a problem is made from. */
interface Source extends Pick<Runtime, "clock" | "randomText"> {
  readonly config: Config;
  readonly connections: Connections;
}

/** An error, as it is logged and shown. */
export type Failure = Pick<HandlerError, "message" | "refusal" | "recovery"> &
  Partial<Pick<HandlerError, "started">> &
  Pick<Problem, "code">;

/** Names the handler in which an error was thrown. */
export function describeFailure(route: RouteName, error: unknown): Failure {
  if (error instanceof HandlerError) return error;
  if (route === "login" || route === "callback" || route === "logout" || route === "me") {
    return new HandlerError(route, error);
  }
  const refusal = refusalOf(error);
  const { code, message, connection, returnTo } = refusal;
  return { code, message, refusal, recovery: { connection, returnTo } };
}

/** Returns what a page or a script learns of a failure. */
export function problemOf(context: Source, failure: Failure, shape: BodyKind): Problem {
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
export function detailOf({ refusal, recovery }: Failure): string | undefined {
  const { detail, reason, suspect = suspects[reason] } = refusal;
  const parts = [detail ?? [], suspect === undefined ? [] : `check ${suspect}`].flat();
  if (parts.length === 0) return undefined;
  return inWordsOf(recovery.connection ?? defaultID, parts.join("; "));
}

/** Responds even if clock or randomness fail. */
export function orElse<T>(fallback: T, make: () => T): T {
  try {
    return make();
  } catch {
    return fallback;
  }
}

/** Problems which name the user that the provider has named. */
export const aboutPerson: ReadonlySet<ProblemKind> = new Set(["email-domain", "organization"]);

/** If there are several ways to sign in: which one it was, and the page with the others. */
function waysOf(
  { config, connections }: Source,
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
