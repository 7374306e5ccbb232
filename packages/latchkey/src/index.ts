export type { CheckedRequirement, Explanation } from "./access/guard/access-rules.ts";
export type { AccessTokenRequest } from "./access/access-token.ts";
export type { Operator } from "./access/ends/end-user.ts";
export type { Activity } from "./access/activity/list-activity.ts";
export type { Device, DeviceEnding } from "./access/devices/list-devices.ts";
export type { WhenToEnd, WhichDevices } from "./access/devices/end-devices.ts";
export type { RequestAuth, SignedIn } from "./access/request-auth.ts";
export { type Auth, createAuth, type Options } from "./auth.ts";
export type { AccessRequirements, AccessRule, ClaimValue } from "./config/access-rule.ts";
export type { Config } from "./config/config.ts";
export { version } from "./config/constants.ts";
export {
  type Environment,
  type EnvironmentSettings,
  optionsFromEnvironment,
} from "./config/environment.ts";
export { limitOwnFaults } from "./config/telemetry/limit-own-faults.ts";
export { levelOf, type Log, type LogEvent, type LogLevel } from "./config/telemetry/log-event.ts";
export type { FormToSend, ProviderSession, SignedOut } from "./config/pages.ts";
export type { Hooks, Parts, Secrets, SecretsObserver } from "./config/parts.ts";
export type {
  Measurement,
  Operation,
  OperationEnd,
  SessionKey,
  Status,
  Telemetry,
} from "./config/telemetry/telemetry.ts";
export type { Settings } from "./config/settings.ts";
export {
  Forbidden,
  SignInRequired,
  type StepUp,
  StepUpRequired,
  type UnmetRequirement,
} from "./errors/access-errors.ts";
export { AccessTokenError } from "./errors/access-token-error.ts";
export { ConfigError, type ConfigFault } from "./errors/config-error.ts";
export { HandlerError } from "./errors/handler-error.ts";
export {
  type AccessTokenErrorCode,
  type ErrorCode,
  type HandlerErrorCode,
  LatchkeyError,
} from "./errors/latchkey-error.ts";
export type { Problem, ProblemKind } from "./errors/problem.ts";
export type { Reason } from "./errors/reasons.ts";
export { Refusal } from "./errors/refusal.ts";
export type { AuthRequest } from "./http/auth-request.ts";
export { isSameOrigin } from "./http/fetch-metadata.ts";
export type { HeaderList } from "./http/headers.ts";
export type { MaybePromise } from "./maybe-promise.ts";
export type { ActivityKind } from "./session/activity/activity-entry.ts";
export type { DeviceTrace } from "./session/device.ts";
export type { PeekResult } from "./routes/session-json.ts";
export type { Claims, EndReason, Session, SessionData, SessionTimes } from "./session/session.ts";
export type { Store, SwapResult } from "./stores/store.ts";
