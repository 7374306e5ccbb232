export type { Explanation } from "./principal/access-rules.ts";
export type { Identity } from "./config/identity.ts";
export type { AccessTokenRequest } from "./refresh/access-token-request.ts";
export type { Activity } from "./activity/list-activity.ts";
export type { Device } from "./devices/list-devices.ts";
export type { Part } from "./host/part.ts";
export type { RequestAuth, SignedIn } from "./host/request-auth.ts";
export { type Auth, createAuth, type Options } from "./host/auth.ts";
export { contrastOf, readableAccent, softPair } from "./config/accent.ts";
export { type AccessRule, faultOfRule } from "./config/access-rule.ts";
export type { Config } from "./config/config.ts";
export { version } from "./telemetry/version.ts";
export { type Environment, optionsFromEnvironment } from "./config/environment.ts";
export { limitOwnFaults } from "./telemetry/limit-own-faults.ts";
export { levelOf, type Log, type LogEvent } from "./telemetry/log-event.ts";
export type {
  FormToSend,
  PageRequest,
  Pages,
  PagesSite,
  ProviderSession,
  SignedOut,
  SignInChoice,
} from "./config/pages.ts";
export type { Status, Telemetry } from "./telemetry/telemetry.ts";
export type { Settings } from "./config/settings.ts";
export {
  Forbidden,
  SignInRequired,
  StepUpRequired,
  type UnmetRequirement,
} from "./errors/access-errors.ts";
export { AccessTokenError } from "./errors/access-token-error.ts";
export { ConfigError, type ConfigFault } from "./errors/config-error.ts";
export { HandlerError } from "./errors/handler-error.ts";
export { LatchkeyError } from "./errors/latchkey-error.ts";
export type { Problem } from "./errors/problem.ts";
export type { ProblemKind } from "./errors/problem-kind.ts";
export type { Reason } from "./errors/reasons.ts";
export { referenceOf } from "./telemetry/reference.ts";
export { Refusal } from "./errors/refusal.ts";
export { SignInRefused } from "./errors/sign-in-refused.ts";
export type { AuthRequest } from "./http/auth-request.ts";
export { isSameOrigin } from "./http/fetch-metadata.ts";
export type { HeaderList } from "./http/headers.ts";
export { matchPaths } from "./http/match-paths.ts";
export { findClaim } from "./principal/find-claim.ts";
export type { PageWithPolicy, ResponseParts } from "./http/response-parts.ts";
export type { MaybePromise } from "./time/maybe-promise.ts";
export type { Claims, EndReason, Session, SessionData, SessionTimes } from "./session/session.ts";
export type { Store } from "./stores/store.ts";
