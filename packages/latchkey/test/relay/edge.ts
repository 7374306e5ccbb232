import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Sends the requests for https hosts to servers on this machine, as the edge of a hosting platform
 * does. Other requests go to their own address.
 *
 * @param servers - the origin of the server for each origin of the browser
 */
export function edgeOf(servers: Readonly<Record<string, string>>) {
  return async (url: URL, init: RequestInit): Promise<Response> => {
    const server = servers[url.origin];
    if (server === undefined) return fetch(url, init);
    return sendTo(new URL(url.pathname + url.search, server), url.host, init);
  };
}

/** `fetch` sets the header Host by itself. */
async function sendTo(address: URL, host: string, init: RequestInit): Promise<Response> {
  const { method = "GET", body } = init;
  const headers = headersFor(init.headers, body, host);
  const sent = request(address, { method, headers, agent: false });
  sent.end(body instanceof URLSearchParams ? body.toString() : undefined);
  const [received] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode: status = 0, rawHeaders } = received;
  const names = rawHeaders.filter((_, place) => place % 2 === 0);
  const lines = names.map((name, place) => [name, rawHeaders[place * 2 + 1] ?? ""] as const);
  const content = await text(received);
  const response = new Response(status === 204 ? null : content, { status });
  for (const [name, value] of lines) response.headers.append(name, value);
  return response;
}

function headersFor(given: RequestInit["headers"], body: RequestInit["body"], host: string) {
  const headers = new Headers(given);
  if (body instanceof URLSearchParams && !headers.has("content-type")) {
    headers.set("content-type", "application/x-www-form-urlencoded");
  }
  return { ...Object.fromEntries(headers), host, "x-forwarded-proto": "https" };
}
