/** Durations and limits of the specification, section 9. Each name says its unit. */
export const rollingDurationSeconds = 86_400;
export const absoluteDurationSeconds = 604_800;
/** A session on a shared computer ends after this time without use, if not earlier. */
export const sharedRollingSeconds = 900;
export const clockToleranceSeconds = 60;
export const httpTimeoutMs = 5000;
export const refreshMarginSeconds = 60;
/** A token with more time left is used without a wait for a newer one. */
export const softMarginSeconds = 10;

/** The connection of the flat settings: that of addresses and sessions which name none. */
export const defaultID = "default";
/** The form of the id of a connection. */
export const connectionIDForm = /^[a-z][a-z\d-]{0,62}$/;

/** A transaction lives this long; one browser has at most {@link transactionsAtMost} of them. */
export const transactionLifetimeSeconds = 3600;
export const transactionsAtMost = 5;

/** Names of cookies without a setting. */
export const loopCookie = "auth_loop";
export const formCookie = "auth_form";
export const logoutCookie = "auth_logout";
export const lastConnectionCookie = "auth_last";
/** The companion cookie, which binds transactions to this host. */
export const bindingName = (transactionCookie: string): string =>
  `__Host-${transactionCookie}_binding`;
/** The names of all cookies beside the session and the transaction. */
export const furtherCookies = (transactionCookie: string): readonly string[] => [
  bindingName(transactionCookie),
  loopCookie,
  `__Host-${loopCookie}`,
  formCookie,
  logoutCookie,
  lastConnectionCookie,
  `__Host-${lastConnectionCookie}`,
];

/** After the keys were fetched anew for one token, the next such fetch waits this long. */
export const keysCooldownMs = 30_000;
/** The wait before the next call to a provider that is down is random; its limit doubles. */
export const providerBackOff = { baseMs: 1000, capMs: 10_000 };

/** Bytes. Common proxies refuse a request with more cookies than this. */
export const cookieHeaderLimit = 12 * 1024;

/** The header of the doctor's requests to the app. No user makes them. */
export const doctorHeader = "latchkey-doctor";

/** Claims excluded from `user`. */
export const filteredClaims: readonly string[] = [
  "aud",
  "iss",
  "iat",
  "exp",
  "nbf",
  "nonce",
  "azp",
  "auth_time",
  "s_hash",
  "at_hash",
  "c_hash",
];
