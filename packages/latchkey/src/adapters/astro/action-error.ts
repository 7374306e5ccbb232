import { isJSONObject, parseJSON } from "../../crypto/json-object.ts";

/** What `error.code` of an action is in the browser. */
const codes: Readonly<Record<number, string>> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN" };

/**
 * A refusal in the words of Astro: its client tells the code and the text of an error only where the body says that it
 * is one of an action. What an action itself responds with says so already.
 */
export async function asActionError(response: Response): Promise<Response> {
  const { status } = response;
  const code = codes[status];
  const isJSON = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (code === undefined || !isJSON) return response;
  const body = parseJSON(await response.clone().text());
  if (!isJSONObject(body) || "type" in body) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const message = body["description"] ?? body["error_description"];
  return Response.json({ ...body, type: "AstroActionError", code, message }, { status, headers });
}
