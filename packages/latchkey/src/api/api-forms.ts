import type { OptionForm, OptionForms } from "../config/option-forms.ts";
import { isLoopback } from "../config/rules/rule.ts";
import { asymmetricAlgorithms } from "../config/signing-algorithms.ts";
import { profiles } from "./profiles.ts";
import type {
  ApiOptions,
  DPoPOptions,
  IntrospectionOptions,
  IssuerOptions,
  TokenOptions,
} from "./settings.ts";

export type FormsOf<Options> = Readonly<Record<keyof Options, OptionForm>>;

/** JavaScript lets any value pass: some forms depend on other options. */
type Given = Readonly<Record<string, unknown>>;

export function apiForms(given: unknown): FormsOf<ApiOptions> {
  return {
    ...tokenForms(given),
    ...ownForms,
    issuers: issuersForm(issuerForms),
  };
}

const trueOrFalse: OptionForm = {
  expected: "must be true or false",
  isGood: (value) => typeof value === "boolean",
};

const audience: OptionForm = { expected: "must be text, or a list of texts", isGood: isOneOrMore };

export function issuersForm(forms: (item: Given) => OptionForms): OptionForm {
  return { expected: "must be a list of issuers", items: forms };
}

export function issuerForms(given: Given): FormsOf<IssuerOptions> {
  return { ...tokenForms(given), issuer, audience };
}

const secureMessage = "https except on this machine itself";

const issuer: OptionForm = {
  expected: `must be the address of an issuer, ${secureMessage}`,
  isRequired: true,
  isGood: isSecureAddress,
};

export function tokenForms(given: unknown): FormsOf<TokenOptions> {
  const { profile } = (given ?? {}) as Given;
  const isCognito = profile === "cognito";
  const known: readonly unknown[] = asymmetricAlgorithms;
  return {
    profile: oneOf(...Object.keys(profiles)),
    algorithms: {
      expected: `must be a list of ${asymmetricAlgorithms.join(", ")}`,
      isGood: (value) => isListOf(value, (each) => known.includes(each), 1),
    },
    clientIDs: isCognito
      ? {
          expected: "must list client IDs",
          isRequired: true,
          isGood: (value) => isListOf(value, isText, 1),
          remedy:
            "List the client IDs whose tokens count, since tokens of Cognito may have no aud.",
        }
      : { expected: "is for the profile cognito only" },
  };
}

function introspectionForm(): OptionForm {
  const members = ({ clientID, clientSecret }: Given): FormsOf<IntrospectionOptions> => ({
    endpoint: { expected: `must be an address, ${secureMessage}`, isGood: isSecureAddress },
    clientID: {
      expected: "must be text",
      isGood: isText,
      isRequired: clientSecret !== undefined,
      remedy: bothOrNone,
    },
    clientSecret: {
      expected: "must be text",
      isGood: isText,
      isRequired: clientID !== undefined,
      isSecret: true,
      remedy: bothOrNone,
    },
    tokens: oneOf("all", "opaque"),
    cacheSeconds: {
      expected: "must be a number from 0 to 30",
      isGood: (value) => typeof value === "number" && value >= 0 && value <= 30,
    },
    jwt: trueOrFalse,
  });
  return {
    expected: "must be true, false or an object",
    isGood: (value) => typeof value === "boolean",
    members,
  };
}

const bothOrNone = "Set clientID and clientSecret, or neither.";

function dpopForm(): OptionForm {
  const members = (): FormsOf<DPoPOptions> => ({ isRequired: trueOrFalse, nonce: trueOrFalse });
  return {
    expected: "must be true, false or an object with isRequired or nonce",
    isGood: (value) => typeof value === "boolean",
    members,
  };
}

/** Of an API itself, beside how its tokens are made. */
export const ownForms: FormsOf<Omit<ApiOptions, keyof TokenOptions | "issuers">> = {
  audience: {
    ...audience,
    isRequired: true,
    remedy:
      "Name this API as its tokens do in aud, for example https://api.example.com: without it tokens for any other API would count here.",
  },
  sessions: trueOrFalse,
  paths: {
    expected: "must be a list of paths such as /v1",
    isGood: (value) => isListOf(value, isPath),
  },
  origins: {
    expected: "must be a list of origins such as https://spa.example.com",
    isGood: (value) => isListOf(value, isOrigin),
  },
  preflights: oneOf("answer", "pass"),
  introspection: introspectionForm(),
  dpop: dpopForm(),
};

function oneOf(...values: readonly string[]): OptionForm {
  return {
    expected: `must be one of ${values.join(", ")}`,
    isGood: (value) => values.some((each) => each === value),
  };
}

/** Like the issuer of the sign-in: nothing on the way may change its keys and answers. */
function isSecureAddress(value: unknown): boolean {
  const { protocol, href = "" } = (typeof value === "string" ? URL.parse(value) : null) ?? {};
  return protocol === "https:" || (protocol === "http:" && isLoopback(href));
}

export function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && /^\/(?!\/)[\w\-./~]*$/.test(value);
}

function isOrigin(value: unknown): boolean {
  return URL.parse(String(value))?.origin === value;
}

export function isListOf(value: unknown, isOne: (each: unknown) => boolean, atLeast = 0): boolean {
  return Array.isArray(value) && value.length >= atLeast && value.every(isOne);
}

export function isOneOrMore(value: unknown): boolean {
  return isText(value) || isListOf(value, isText, 1);
}
