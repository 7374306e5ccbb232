import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { readBody } from "../http/request-body.ts";
import type { Endpoint } from "./behavior.ts";

/** One request as it arrived. */
export interface SeenRequest {
  /** Milliseconds since the epoch, by the machine's clock. */
  readonly time: number;
  /** Undefined for an address outside of the metadata. */
  readonly endpoint: Endpoint | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body read as a form; empty when it is none. */
  readonly form: URLSearchParams;
}

/** Reads a request with its body. */
export async function readRequest(
  message: IncomingMessage,
  endpointOf: (path: string, form: URLSearchParams) => Endpoint | undefined,
): Promise<SeenRequest> {
  const { pathname, searchParams } = new URL(message.url ?? "/", "http://localhost");
  const body = await readBody(message);
  const isForm = /^application\/x-www-form-urlencoded\b/iu.test(
    message.headers["content-type"] ?? "",
  );
  const form = new URLSearchParams(isForm ? body : "");
  return {
    time: Date.now(),
    endpoint: endpointOf(pathname, form),
    method: message.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers: message.headers,
    body,
    form,
  };
}
