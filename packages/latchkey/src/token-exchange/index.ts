import { createTokenExchange } from "./exchange-token.ts";
import type { OptionForm } from "../config/option-forms.ts";
import { customForm, entra, type ExchangeFormOf, type Form, rfc8693 } from "./forms.ts";
import type { Part } from "../host/part.ts";

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
  return {
    name: "tokenExchange",
    written: { place: "tokenExchange", call: "tokenExchange()", options, forms: optionForms },
    open: () => ({ tokenExchange: createTokenExchange(formOf(options)) }),
  };
}

const optionForms: Readonly<Record<keyof TokenExchangeOptions, OptionForm>> = {
  form: {
    expected: "must be rfc8693, entra or a function",
    isRequired: true,
    isGood: (value) => typeof value === "function" || value === "rfc8693" || value === "entra",
    remedy: 'Pass tokenExchange({ form: "rfc8693" }), or the form of your provider.',
  },
};

function formOf({ form }: TokenExchangeOptions): Form {
  return typeof form === "function" ? customForm(form) : forms[form];
}
