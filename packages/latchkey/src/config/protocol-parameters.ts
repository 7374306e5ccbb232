/** Parameters for the provider, by name. */
export type LoginParams = Readonly<Record<string, string>>;

/** Parameters of the protocol: each sign-in has its own, or they authenticate this client. */
const protocolParameters: readonly string[] = [
  "client_assertion",
  "client_assertion_type",
  "client_id",
  "client_secret",
  "code_challenge",
  "code_challenge_method",
  "dpop_jkt",
  "nonce",
  "redirect_uri",
  "request",
  "request_uri",
  "response_mode",
  "response_type",
  "scope",
  "state",
];

/** Whether neither an app nor a link may set a parameter; some providers ignore the case. */
export function isProtocolParameter(name: string): boolean {
  return protocolParameters.includes(name.toLowerCase());
}

/** Parameters of the login route itself, none of which goes on to the provider as it is. */
export const loginRouteParameters = [
  "at",
  "iss",
  "params",
  "restart",
  "returnTo",
  "shared",
  "stepUp",
  "target_link_uri",
] as const;

/** A name as RFC 6749, appendix A, allows it, and a few more. */
export const parameterNameForm = /^[\w.:~-]+$/;
