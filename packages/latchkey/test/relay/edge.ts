import { request } from "node:http";
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
function sendTo(address: URL, host: string, { method, headers, body }: RequestInit) {
  return new Promise<Response>((resolve, reject) => {
    const sent = request(
      address,
      { method: method ?? "GET", headers: headersFor(headers, body, host), agent: false },
      (response) => {
        const { statusCode = 0, rawHeaders } = response;
        const received = new Headers();
        for (let place = 0; place < rawHeaders.length; place += 2) {
          received.append(rawHeaders[place] ?? "", rawHeaders[place + 1] ?? "");
        }
        text(response).then(
          (content) => resolve(new Response(content, { status: statusCode, headers: received })),
          reject,
        );
      },
    );
    sent.once("error", reject);
    sent.end(body instanceof URLSearchParams ? body.toString() : undefined);
  });
}

function headersFor(given: RequestInit["headers"], body: RequestInit["body"], host: string) {
  const headers = new Headers(given);
  if (body instanceof URLSearchParams && !headers.has("content-type")) {
    headers.set("content-type", "application/x-www-form-urlencoded");
  }
  return { ...Object.fromEntries(headers), host, "x-forwarded-proto": "https" };
}
