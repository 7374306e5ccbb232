import type { Config } from "../config/config.ts";
import type { OptionForm } from "../config/option-forms.ts";
import { isPlaceholder } from "../config/placeholder.ts";
import { isHttps, isLoopback } from "../config/rules/rule.ts";
import { deriveKeyRing, type KeyRing } from "../crypto/key-ring.ts";
import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import type { Part } from "../host/part.ts";
import { readOriginPattern } from "../http/origin-pattern.ts";
import { redirectURI } from "../oidc/authorization-request.ts";
import { ownRedirection, type Redirection } from "../oidc/redirection.ts";
import { relayResponses } from "./relay-responses.ts";
import { sealState } from "./relayed-state.ts";
import { withoutTrailingSlashes } from "../http/trailing-slash.ts";

/** How sign-ins of previews return by the redirect URI of another app. */
export interface RelayOptions {
  /**
   * What the relay and its previews have in common, and no other setting has. Of several the first
   * one seals, and all are accepted.
   */
  readonly secret: string | readonly string[] | undefined;
  /**
   * The base URL of the relay: the app whose redirect URIs the provider knows. An app with another
   * base URL is a preview. Without this option an app is the relay.
   */
  readonly url?: string | undefined;
  /**
   * The origins of the previews, for the relay: exact ones, or such as
   * `https://*--shop.netlify.app`.
   */
  readonly origins?: readonly string[] | undefined;
}

/**
 * Lets previews and further hosts sign in by the redirect URI of one app: pass the result to
 * `createAuth` as `relay`, in that app and in the previews.
 *
 * Never throws: `auth.ready()` or the first request reports what is wrong with the options.
 */
export function relay(options: RelayOptions): Part<"relay"> {
  const { url, origins = [] } = options;
  const isRelay = ({ baseURL }: Pick<Config, "baseURL">) =>
    url === undefined || isSameBase(url, baseURL);
  return {
    name: "relay",
    written: { place: "relay", call: "relay()", options, forms },
    open({ config, clock }) {
      const secrets = secretsIn(options);
      const faults = jointFaults({ secrets, hasOrigins: origins.length > 0 }, config, isRelay);
      if (faults.length > 0) throw new ConfigError(faults);
      const keys = deriveKeyRing(secrets, "relay");
      const patterns = origins.flatMap((each) => {
        const pattern = readOriginPattern(each);
        return typeof pattern === "function" ? [pattern] : [];
      });
      return {
        around: relayResponses({ keys, origins: patterns, isRelay }),
        redirection: (site) =>
          url === undefined || isRelay(site) ? null : byRelay(url, site, { keys, clock }),
      };
    },
  };
}

function secretsIn({ secret }: RelayOptions): readonly string[] {
  return [secret ?? []].flat();
}

function isSameBase(one: string, other: string): boolean {
  const [first, second] = [one, other].map((each) => withoutTrailingSlashes(new URL(each).href));
  return first === second;
}

interface Sealing {
  readonly keys: KeyRing;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Responses for a preview arrive at the relay, whose state says where they belong. */
function byRelay(url: string, site: Config, { keys, clock }: Sealing): Redirection {
  const { uri } = ownRedirection({ baseURL: withoutTrailingSlashes(url), routes: site.routes });
  return {
    uri,
    stateOf(random, client) {
      const path = redirectURI({ baseURL: "", routes: site.routes }, client);
      return sealState(keys, random, { baseURL: site.baseURL, path, started: clock() });
    },
  };
}

/** What does not fit the other settings. */
function jointFaults(
  { secrets, hasOrigins }: { readonly secrets: readonly string[]; readonly hasOrigins: boolean },
  config: Config,
  isRelay: (site: Config) => boolean,
): readonly ConfigFault[] {
  const isShared = secrets.some((each) => config.secrets.includes(each));
  return [
    ...(isShared ? [sharedSecret] : []),
    ...(isRelay(config) && !hasOrigins ? [missingOrigins] : []),
  ];
}

const place = { variable: "", remedy: "" };

const sharedSecret: ConfigFault = {
  ...place,
  option: "relay.secret",
  message: "is also the secret of the sessions, so that every preview could open and make them",
  remedy: "Make another one: openssl rand -base64 32",
};

const missingOrigins: ConfigFault = {
  ...place,
  option: "relay.origins",
  message: "is required for the relay",
  remedy:
    "List the origins of the previews, or pass the base URL of the relay as url in a preview.",
};

const forms: Readonly<Record<keyof RelayOptions, OptionForm>> = {
  secret: {
    expected: "must be a text of at least 8 characters, or a list of such texts",
    isRequired: true,
    isSecret: true,
    isGood: (value) => {
      const secrets: readonly unknown[] = [value].flat();
      return secrets.length > 0 && secrets.every(isSecret);
    },
    remedy: "Pass the same secret in the relay and in its previews: openssl rand -base64 32",
  },
  url: {
    expected: "must be the https address of an app, without query and user info",
    isGood: isBaseURL,
    remedy: "Pass the base URL of the app whose redirect URI the provider knows.",
  },
  origins: {
    expected:
      "must be a list of origins such as https://*--shop.netlify.app, with one star at the start of a name that only this app can have",
    isGood: (value) => Array.isArray(value) && value.length > 0 && value.every(isOrigin),
    remedy: "See https://latchkey-auth.github.io/latchkey/guides/hosts-and-previews",
  },
};

function isSecret(value: unknown): boolean {
  return typeof value === "string" && value.length >= 8 && !isPlaceholder(value);
}

function isBaseURL(value: unknown): boolean {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url === null) return false;
  const { href, search, hash, username, password } = url;
  const isBare = [search, hash, username, password].every((each) => each === "");
  return isBare && (isHttps(href) || isLoopback(href));
}

function isOrigin(value: unknown): boolean {
  return typeof value === "string" && typeof readOriginPattern(value) === "function";
}
