export type { AccessToken, AccessTokenRequest } from "./access/access-token.ts";
export type { Device, EndedDevices, WhichDevices } from "./access/devices.ts";
export { andThen, type Awaitable, orElse } from "./awaitable.ts";
export { type Auth, createAuth, type Guarded, type Options } from "./auth.ts";
export type { Config } from "./config/config.ts";
export {
  type Environment,
  type EnvironmentSettings,
  optionsFromEnvironment,
} from "./config/environment.ts";
export { levelOf, type Log, type LogEvent, type LogLevel } from "./config/log-event.ts";
export type { Hooks, Parts } from "./config/parts.ts";
export type { Settings } from "./config/settings.ts";
export { AccessTokenError, type AccessTokenErrorCode } from "./errors/access-token-error.ts";
export { ConfigError, type ConfigFault } from "./errors/config-error.ts";
export { HandlerError } from "./errors/handler-error.ts";
export { LatchkeyError } from "./errors/latchkey-error.ts";
export type { Problem, ProblemKind } from "./errors/problem.ts";
export type { Reason } from "./errors/reasons.ts";
export { Refusal } from "./errors/refusal.ts";
export type { AuthRequest } from "./http/auth-request.ts";
export { isSameOrigin } from "./http/fetch-metadata.ts";
export { type Answer, toResponse } from "./http/answers.ts";
export { type HeaderList, withHeaders } from "./http/headers.ts";
export type { Peek } from "./routes/peek.ts";
export type { SignedOut } from "./routes/post-logout.ts";
export type { DeviceTrace } from "./session/device.ts";
export type { Claims, EndReason, Session, SessionData, SessionTimes } from "./session/session.ts";
export type { Visit } from "./session/visit.ts";
export type { Store } from "./stores/store.ts";
