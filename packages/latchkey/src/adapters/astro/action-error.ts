/** What `error.code` of an action is in the browser. */
const codes: Readonly<Record<number, string>> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN" };

/**
 * A refusal in the words of Astro: its client tells the code and the text of an error only where the body says that it
 * is one of an action. What an action itself responds with says so already.
 */
export async function asActionError(response: Response): Promise<Response> {
  const { headers, status } = response;
  const code = codes[status];
  const isJSON = headers.get("content-type")?.startsWith("application/json") === true;
  if (code === undefined || !isJSON) return response;
  const body = (await response.json()) as Record<string, unknown>;
  const message = body["description"] ?? body["error_description"];
  return Response.json({ type: "AstroActionError", code, message, ...body }, { status, headers });
}
