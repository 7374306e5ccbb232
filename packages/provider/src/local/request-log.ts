import type { IncomingMessage, ServerResponse } from "node:http";

/** A request with the status of its response. */
export interface LoggedRequest {
  /** Milliseconds since the epoch, when the response was sent. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly status: number;
}

const maxLoggedRequests = 5000;

/** Adds a request to the log, and drops the oldest one of a full log. */
export function logRequest(
  log: LoggedRequest[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [path = "/", query = ""] = (request.url ?? "/").split("?", 2);
  log.push({
    time: Date.now(),
    method: request.method ?? "GET",
    path,
    query: new URLSearchParams(query),
    headers: request.headers,
    status: response.statusCode,
  });
  if (log.length > maxLoggedRequests) log.shift();
}
