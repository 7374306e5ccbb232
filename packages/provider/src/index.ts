export { createCertificate } from "./http/certificate.ts";
export type { Certificate } from "./http/certificate.ts";
export { startProvider } from "./local/start-provider.ts";
export type { RunningProvider } from "./local/start-provider.ts";
export { startCustomers } from "./local/customers/start-customers.ts";
export type { CustomerConnection, RunningCustomers } from "./local/customers/start-customers.ts";
export type { RunningIssuer } from "./local/open-issuer.ts";
export type { LoggedRequest } from "./local/request-log.ts";
export type { AppSession } from "./local/logout/app-sessions.ts";
export type { LogoutDelivery } from "./local/logout/back-channel.ts";
export type { LogoutSubject } from "./local/logout/logout-token.ts";
export { sampleUsers } from "./local/users/sample-users.ts";
export type { User } from "./local/users/sample-users.ts";
export { defaultAppURL, defaultClientID, defaultClientSecret } from "./local/settings.ts";
export type {
  ClientAuthMethod,
  ClientSettings,
  Lifetimes,
  ProviderSettings,
  ResourceSettings,
  ResponseType,
  SigningAlgorithm,
} from "./local/settings.ts";
