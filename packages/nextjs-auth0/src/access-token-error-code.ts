/** The codes of an `AccessTokenError`, by the names of nextjs-auth0 3.x. */
export const AccessTokenErrorCode = {
  MISSING_SESSION: "ERR_MISSING_SESSION",
  MISSING_ACCESS_TOKEN: "ERR_MISSING_ACCESS_TOKEN",
  MISSING_REFRESH_TOKEN: "ERR_MISSING_REFRESH_TOKEN",
  EXPIRED_ACCESS_TOKEN: "ERR_EXPIRED_ACCESS_TOKEN",
  INSUFFICIENT_SCOPE: "ERR_INSUFFICIENT_SCOPE",
  FAILED_REFRESH_GRANT: "ERR_FAILED_REFRESH_GRANT",
} as const;
export type AccessTokenErrorCode = (typeof AccessTokenErrorCode)[keyof typeof AccessTokenErrorCode];
