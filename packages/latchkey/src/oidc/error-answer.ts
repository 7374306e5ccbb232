import { ResponseBodyError } from "oauth4webapi";

import { isJSONObject, type JSONObject } from "../crypto/json-object.ts";
import { parseStrictJSON } from "../crypto/strict-json.ts";

/**
 * Checks that a document is no error response: some providers send `error` with the status 200, or
 * as an object.
 *
 * @param needed - members of a good response; with one of them `error` means nothing
 * @throws {ResponseBodyError} with the words of the provider, as for any error response
 */
export function checkNoError(
  document: JSONObject,
  needed: readonly string[],
  response: Response,
): void {
  const words = errorIn(document);
  const isGood = needed.some((name) => document[name] != null && document[name] !== "");
  if (words === null || isGood) return;
  throw new ResponseBodyError("The response is an error.", {
    cause: { ...document, error: words },
    response,
  });
}

/** The same for a response whose body may be anything; the body can be read again. */
export async function checkIsNoError(response: Response, needed: readonly string[]): Promise<void> {
  const document = parseStrictJSON(await response.clone().arrayBuffer());
  if (document !== null) checkNoError(document, needed, response);
}

/** Returns the words of the provider for an error, `null` if a document names none. */
export function errorIn({ error }: JSONObject): string | null {
  if (error == null || error === "" || error === false) return null;
  if (typeof error === "string") return error;
  const { message = error } = isJSONObject(error) ? error : {};
  return typeof message === "string" ? message : JSON.stringify(message);
}
