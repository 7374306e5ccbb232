import { isJSONObject, type JSONObject } from "../crypto/json-object.ts";
import { nameErrors } from "../errors/name-errors.ts";
import { type ProviderBody, readBody } from "./issuer/provider-document.ts";
import type { ProviderResponse } from "./issuer/provider-fetch.ts";

/** A response of the provider that is no success. */
export class ErrorResponse extends Error {
  readonly status: number;
  /** What the provider calls the error (RFC 6749, 5.2); `null` if it names none. */
  readonly error: string | null;
  /** Other members of its response, such as `error_description`. */
  readonly members: JSONObject;

  constructor(
    { status }: Pick<Response, "status">,
    error: string | null = null,
    members: JSONObject = {},
  ) {
    super(`The provider responded with ${error ?? status}.`);
    this.status = status;
    this.error = error;
    this.members = members;
  }
}

nameErrors({ ErrorResponse });

/**
 * Checks that a document is no error response: some providers send `error` with the status 200, or
 * as an object.
 *
 * @param needed - members of a good response; with one of them `error` means nothing
 * @throws {ErrorResponse}
 */
export function checkNoError(
  document: JSONObject,
  needed: readonly string[],
  response: Pick<Response, "status">,
): void {
  const error = errorIn(document);
  const isGood = needed.some((name) => document[name] != null && document[name] !== "");
  if (error !== null && !isGood) throw new ErrorResponse(response, error, document);
}

/** What a success looks like. */
interface Success {
  readonly status: number;
  /** Members of a good response; with one of them `error` means nothing. */
  readonly needed: readonly string[];
}

/**
 * Reads the response of a success, whatever its type.
 *
 * @throws {ErrorResponse} for anything else
 */
export async function readSuccess(
  response: ProviderResponse,
  { status, needed }: Success,
): Promise<ProviderBody> {
  if (response.status >= 500) throw new ErrorResponse(response);
  const body = await readBody(response);
  if (body.object !== null) checkNoError(body.object, needed, response);
  if (response.status !== status) throw new ErrorResponse(response);
  return body;
}

/** Returns the words of the provider for an error, `null` if a document names none. */
export function errorIn({ error }: JSONObject): string | null {
  if (error == null || error === "" || error === false) return null;
  if (typeof error === "string") return error;
  const { message = error } = isJSONObject(error) ? error : {};
  return typeof message === "string" ? message : JSON.stringify(message);
}
