import type { ExchangeTarget } from "../oidc/token-exchange.ts";

/** A token request, apart from the credentials of the client. */
export interface ExchangeForm {
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Makes the token request of an exchange, for a provider with a form of its own. */
export type ExchangeFormOf = (
  request: ExchangeTarget & { readonly accessToken: string },
) => ExchangeForm;

/** A form, and how its responses are read. */
export interface Form {
  readonly name: string;
  readonly toRequest: ExchangeFormOf;
  /** Whether a response must name the type of its token (RFC 8693, 2.2.1). */
  readonly namesTokenType: boolean;
  /** Whether a scope is among those that a response names. */
  readonly isGranted: (scope: string, granted: readonly string[]) => boolean;
  /**
   * What is wrong with a request, as a sentence; `null` if nothing is.
   */
  readonly faultOf: (target: ExchangeTarget) => string | null;
}

export const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

const isAmong = (scope: string, granted: readonly string[]) => granted.includes(scope);

/** OAuth 2.0 Token Exchange. */
export const rfc8693: Form = {
  name: "rfc8693",
  namesTokenType: true,
  isGranted: isAmong,
  faultOf: ({ audience, resource }) =>
    audience === undefined && resource === undefined
      ? "accessToken({ exchange }) needs audience or resource."
      : null,
  toRequest: ({ accessToken, audience, resource, scopes = [] }) => ({
    grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
    parameters: {
      subject_token: accessToken,
      subject_token_type: accessTokenType,
      requested_token_type: accessTokenType,
      ...(audience === undefined ? {} : { audience }),
      ...(resource === undefined ? {} : { resource }),
      ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    },
  }),
};

/** The on-behalf-of flow of Microsoft Entra ID. Each scope begins with the address of the API. */
export const entra: Form = {
  name: "entra",
  namesTokenType: false,
  isGranted: (scope, granted) =>
    scope.endsWith("/.default") || granted.some((each) => lastPart(each) === lastPart(scope)),
  faultOf: ({ audience, resource, scopes = [] }) => {
    if (audience !== undefined || resource !== undefined) {
      return 'accessToken({ exchange }) takes scopes only for the form "entra", such as "api://<API>/.default".';
    }
    return scopes.length === 0 ? "accessToken({ exchange }) needs scopes." : null;
  },
  toRequest: ({ accessToken, scopes = [] }) => ({
    grantType: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    parameters: {
      assertion: accessToken,
      requested_token_use: "on_behalf_of",
      scope: scopes.join(" "),
    },
  }),
};

/** The form of another provider. */
export function customForm(toRequest: ExchangeFormOf): Form {
  return {
    name: "custom",
    namesTokenType: false,
    isGranted: isAmong,
    faultOf: () => null,
    toRequest,
  };
}

function lastPart(scope: string): string {
  return scope.slice(scope.lastIndexOf("/") + 1).toLowerCase();
}
