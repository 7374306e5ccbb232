import type { ServerResponse } from "node:http";

/** Sends a Web response from an API route of `pages/`. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name === "set-cookie") outgoing.appendHeader(name, value);
    else outgoing.setHeader(name, value);
  }
  outgoing.end(body);
}
