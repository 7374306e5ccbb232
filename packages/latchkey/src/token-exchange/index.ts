import { createTokenExchange } from "./exchange-token.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import { customForm, entra, type ExchangeFormOf, type Form, rfc8693 } from "./forms.ts";
import type { Part } from "../host/part.ts";

export type { ExchangeForm, ExchangeFormOf } from "./forms.ts";
export type { ExchangeTarget } from "../oidc/token-exchange.ts";

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
 * Never throws: `auth.ready()` or the first request reports what is wrong with the options.
 */
export function tokenExchange(options: TokenExchangeOptions): Part<"tokenExchange"> {
  const form = formOf(options);
  return {
    name: "tokenExchange",
    faults: form === null ? [noForm] : [],
    open: () => (form === null ? {} : { tokenExchange: createTokenExchange(form) }),
  };
}

/** Returns the form of an exchange; `null` if there is no such form. */
function formOf({ form }: TokenExchangeOptions): Form | null {
  if (typeof form === "function") return customForm(form);
  return Object.hasOwn(forms, form) ? forms[form] : null;
}

const noForm: ConfigFault = {
  option: "tokenExchange.form",
  variable: "",
  message: "must be rfc8693, entra or a function",
  remedy: "Change it where tokenExchange() is called.",
};
