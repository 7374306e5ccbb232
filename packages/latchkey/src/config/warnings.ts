import type { Config } from "./config.ts";
import { isHttps, isLoopback } from "./rules/rule.ts";

const goodSecretBytes = 32;

/** What an operator should know at start-up, each with what to change. None of it stops the app. */
export function startUpWarnings(config: Config, hasStore: boolean): readonly string[] {
  const { baseURL, clientSecret = "", idTokenSigningAlg, secrets } = config;
  const isOffline = config.scope.split(" ").includes("offline_access");
  const told: readonly (readonly [isTold: boolean, warning: string])[] = [
    [
      secrets.some(isShort),
      `LATCHKEY_SECRET is shorter than ${goodSecretBytes} bytes and could be guessed. Make a good one: openssl rand -base64 32`,
    ],
    [
      idTokenSigningAlg.startsWith("HS") && isShort(clientSecret),
      `LATCHKEY_CLIENT_SECRET is shorter than ${goodSecretBytes} bytes: whoever guesses it can sign ID tokens. Ask the provider for a longer one, or choose RS256.`,
    ],
    [
      !isHttps(baseURL) && !isLoopback(baseURL),
      "LATCHKEY_BASE_URL is http, so sessions can be read and stolen on their way through the network. Serve the app over https, and set LATCHKEY_BASE_URL to the https address.",
    ],
    [
      config.identityClaimFilter.includes("sub"),
      "LATCHKEY_IDENTITY_CLAIM_FILTER names sub, which stays in any case: it says who the person is. Take it out of the list. The list replaces that of the protocol's own claims, so repeat those that you want left out.",
    ],
    [config.session.cookie.sameSite === "strict", strictCookie("SESSION")],
    [config.transactionCookie.attributes.sameSite === "strict", strictCookie("TRANSACTION")],
    [
      !hasStore,
      "There is no store: logout ends a session in this browser only. A copied cookie stays good until it expires, and back-channel logout is not available. Set LATCHKEY_STORE, for example to sqlite:data/latchkey.db.",
    ],
    [
      !hasStore && isOffline && config.instances !== 1,
      "Refresh tokens are asked for (offline_access) and there is no store: several instances would spend one token twice, and a provider that rotates them may then refuse it. Set LATCHKEY_STORE; or LATCHKEY_INSTANCES=1, where there is one instance only; or give used tokens a grace of 10 s or more at the provider.",
    ],
  ];
  return told.flatMap(([isTold, warning]) => (isTold ? [warning] : []));
}

function strictCookie(cookie: "SESSION" | "TRANSACTION"): string {
  return `LATCHKEY_${cookie}_COOKIE_SAME_SITE is strict: browsers leave out such a cookie where people come back from a provider on another site, and nobody gets in. Leave it out, unless the provider is on the site of the app.`;
}

function isShort(secret: string): boolean {
  return new TextEncoder().encode(secret).length < goodSecretBytes;
}
