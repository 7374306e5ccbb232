import { notAuthenticated } from "../errors/access-errors.ts";
import { type Challenge, challengeHeaders } from "./challenge.ts";
import type { HeaderList } from "./headers.ts";
import { json, type ResponseParts } from "./response-parts.ts";

/** The JSON of every refused or failed request; the guide "Routes" documents it. */
export interface ErrorJSON {
  /** A stable code, e.g. `not_authenticated` or `ERR_FORBIDDEN`. */
  readonly error: string;
  /** A technical sentence in English; its words may change. */
  readonly description: string;
  /** The log line of the failure has the same one; absent if nothing is logged. */
  readonly reference?: string;
  /** More about this error, by the names of its standard. */
  readonly [detail: string]: unknown;
}

/** The JSON of a 401 to a request that names no caller. */
export const notAuthenticatedJSON: ErrorJSON = {
  error: "not_authenticated",
  description: notAuthenticated,
};

export function errorJSON(body: ErrorJSON, status: number, headers: HeaderList): ResponseParts {
  return json(body, status, headers);
}

/** Returns a 401, which must name at least one way to authenticate (RFC 9110, 15.5.2). */
export function unauthorized(
  body: ErrorJSON,
  ...challenges: readonly [Challenge, ...Challenge[]]
): ResponseParts {
  return errorJSON(body, 401, challengeHeaders(...challenges));
}
