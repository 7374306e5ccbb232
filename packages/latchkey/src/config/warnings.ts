import type { StoreKind } from "../telemetry/telemetry.ts";
import { readOriginPattern } from "../http/origin-pattern.ts";
import { type Config, type ConnectionSettings, wantsOfflineAccess } from "./config.ts";
import { connectionVariable } from "./connection-ids.ts";
import { hasPrefix } from "./rules/cookie-rules.ts";
import { isHttps, isLoopback } from "./rules/rule.ts";
import { sisterHosts } from "./sister-hosts.ts";

const goodSecretBytes = 32;
const manyConnections = 1000;

/** What an operator should know at start-up, each with what to change. None of it stops the app. */
export function startUpWarnings(
  config: Config,
  store: { readonly kind?: StoreKind } | null,
): readonly string[] {
  const { baseURL, secrets } = config;
  const connections = Object.values(config.connections);
  const rules: readonly (readonly [applies: boolean, warning: string])[] = [
    [
      secrets.some(isShort),
      `LATCHKEY_SECRET is shorter than ${goodSecretBytes} bytes and could be guessed. Make a good one: openssl rand -base64 32`,
    ],
    ...connections
      .filter(({ id, uses }) => id === uses)
      .map(
        ({ id, idTokenSigningAlg, clientSecret = "" }) =>
          [
            idTokenSigningAlg.startsWith("HS") && isShort(clientSecret),
            `${connectionVariable(id, "LATCHKEY_CLIENT_SECRET")} is shorter than ${goodSecretBytes} bytes: an attacker who guesses it can sign ID tokens. Create a longer one at the provider, or choose RS256.`,
          ] as const,
      ),
    [
      connections.length > manyConnections,
      `There are ${connections.length} connections in the settings, and each start reads all of them. Let lookUp of latchkey/connections read each one when it is needed.`,
    ],
    [
      !isHttps(baseURL) && !isLoopback(baseURL),
      "LATCHKEY_BASE_URL is http, so sessions can be read and stolen on their way through the network. Serve the app over https, and set LATCHKEY_BASE_URL to the https address.",
    ],
    sisterWarning(config),
    ...connections.map((connection) => hostsWarning(config, connection)),
    [
      config.identityClaimFilter.includes("sub"),
      "LATCHKEY_IDENTITY_CLAIM_FILTER names sub, which stays in any case: it says who the person is. Take it out of the list. The list replaces that of the protocol's own claims, so repeat those that you want left out.",
    ],
    [config.session.cookie.sameSite === "strict", strictCookie("SESSION")],
    [config.transactionCookie.attributes.sameSite === "strict", strictCookie("TRANSACTION")],
    [
      store === null && config.hasSessions,
      "There is no store: logout ends a session in this browser only. A copied cookie stays good until it expires, and back-channel logout is not available. Set LATCHKEY_STORE, for example to sqlite:data/latchkey.db.",
    ],
    [
      config.production && store?.kind === "memory",
      "The store is the memory of this process: a restart signs users out and forgets which sessions were ended. Set LATCHKEY_STORE to another store, for example to sqlite:data/latchkey.db.",
    ],
    [
      store === null &&
        config.hasSessions &&
        connections.some(wantsOfflineAccess) &&
        config.instances !== 1,
      "Refresh tokens are requested (offline_access) and there is no store: several instances would spend one token twice, and a provider that rotates them may then refuse it. Set LATCHKEY_STORE; or LATCHKEY_INSTANCES=1, if there is one instance only; or give used tokens a grace of 10 s or more at the provider.",
    ],
  ];
  const broken = rules.flatMap(([applies, warning]) => (applies ? [warning] : []));
  return [...broken, ...config.relaxations];
}

function sisterWarning({
  baseURLs,
  session: { name, cookie },
}: Config): readonly [applies: boolean, warning: string] {
  const sisters = sisterHosts(baseURLs);
  const isOpen = cookie.domain === undefined && !hasPrefix(name, "__Host-");
  return [
    sisters !== null && baseURLs.length > 1 && isOpen,
    `The hosts ${sisters?.join(" and ")} are of one site, so each can set cookies for the other, and push a session out of a browser. Give the session cookie a name that browsers take from its own host only, such as LATCHKEY_SESSION_NAME=__Host-session: everyone signs in once more then.`,
  ];
}

/** Nothing leads to a connection at a host that the app does not have. */
function hostsWarning(
  { baseURLs }: Config,
  { id, hosts }: ConnectionSettings,
): readonly [applies: boolean, warning: string] {
  const patterns = baseURLs.map((baseURL) => readOriginPattern(new URL(baseURL).origin));
  const isOfApp = (origin: string) =>
    patterns.some((pattern) => typeof pattern === "function" && pattern(origin));
  const unknown = hosts.filter((host) => !isOfApp(`https://${host}`) && !isOfApp(`http://${host}`));
  return [
    unknown.length > 0,
    `${connectionVariable(id, "LATCHKEY_HOSTS")} has ${unknown.join(" and ")}, which is no host of the app: the connection is not offered there. Add the host to LATCHKEY_BASE_URL, or correct it. A host has a port if its addresses show one.`,
  ];
}

function strictCookie(cookie: "SESSION" | "TRANSACTION"): string {
  return `LATCHKEY_${cookie}_COOKIE_SAME_SITE is strict: browsers do not send such a cookie after the return from a provider on another site, and no user can sign in. Remove the setting, unless the provider is on the site of the app.`;
}

function isShort(secret: string): boolean {
  return new TextEncoder().encode(secret).length < goodSecretBytes;
}
