import { createTokenExchange } from "./exchange-token.ts";
import { customForm, entra, type ExchangeFormOf, rfc8693 } from "./forms.ts";
import type { TokenExchange } from "../oidc/token-exchange.ts";

export type { ExchangeForm, ExchangeFormOf } from "./forms.ts";
export type { ExchangeTarget, TokenExchange } from "../oidc/token-exchange.ts";

/** How the provider exchanges tokens. */
export interface TokenExchangeOptions {
  /**
   * - `rfc8693`: OAuth 2.0 Token Exchange, of Keycloak, Okta, Zitadel and authentik
   * - `entra`: the on-behalf-of flow of Microsoft Entra ID
   * - a function that makes the token request of another provider
   */
  readonly form: "rfc8693" | "entra" | ExchangeFormOf;
}

const forms = { rfc8693, entra };

/**
 * Exchanges the access token of a user for tokens of other APIs: pass the result to `createAuth` as
 * `tokenExchange`, and call `accessToken({ exchange: { audience, scopes } })`.
 *
 * @throws {TypeError} if there is no such form
 */
export function tokenExchange({ form }: TokenExchangeOptions): TokenExchange {
  if (typeof form === "function") return createTokenExchange(customForm(form));
  if (!Object.hasOwn(forms, form)) {
    throw new TypeError('tokenExchange({ form }) takes "rfc8693", "entra" or a function.');
  }
  return createTokenExchange(forms[form]);
}
