import { withDeadline } from "../time/deadline.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest, RequestBody } from "./auth-request.ts";
import { mediaTypeOf } from "./media-type.ts";

const encoder = new TextEncoder();

/** The largest form, in bytes. */
export const formLimit = 64 * 1024;

/** How long a body may take to arrive, in milliseconds. */
const arrivesWithinMs = 10_000;

/**
 * Reads an `application/x-www-form-urlencoded` body.
 *
 * @throws {Refusal} `content_type` for any other type, `body_too_large` above {@link formLimit},
 *   `body_timeout` if it does not arrive in time, `body_malformed` if it is truncated or a parser
 *   has made something else of it
 */
export async function readForm(
  request: HostRequest,
  timeoutMs = arrivesWithinMs,
): Promise<URLSearchParams> {
  if (mediaTypeOf(request.headers) !== "application/x-www-form-urlencoded") {
    throw new Refusal("content_type");
  }
  if (Number(request.headers.get("content-length") ?? 0) > formLimit) {
    throw new Refusal("body_too_large");
  }
  return formOf(await withDeadline(timeoutMs, readBody(request), tooLate));
}

async function readBody(
  request: HostRequest,
): Promise<Exclude<RequestBody, AsyncIterable<Uint8Array | string>>> {
  const body = await request.body();
  if (body === null || typeof body === "string" || body instanceof Uint8Array) return body;
  return Symbol.asyncIterator in body
    ? readStream(body as AsyncIterable<Uint8Array | string>)
    : body;
}

async function readStream(body: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  try {
    return await collect(body);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal("body_malformed", { detail: "it broke off", cause });
  }
}

async function collect(body: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const bytes = new Uint8Array(formLimit);
  let length = 0;
  for await (const chunk of body) {
    // A stream with an encoding yields texts.
    const part = typeof chunk === "string" ? encoder.encode(chunk) : chunk;
    if (length + part.byteLength > formLimit) throw new Refusal("body_too_large");
    bytes.set(part, length);
    length += part.byteLength;
  }
  return bytes.subarray(0, length);
}

function tooLate(): never {
  throw new Refusal("body_timeout");
}

function formOf(body: string | Uint8Array | object | null): URLSearchParams {
  if (body === null) return new URLSearchParams();
  if (typeof body === "string") return new URLSearchParams(body);
  if (body instanceof Uint8Array) return new URLSearchParams(new TextDecoder().decode(body));
  return new URLSearchParams(Object.entries(body).flatMap(fieldsOf));
}

/** In every parser a repeated field is a list; anything deeper is no form of ours. */
function fieldsOf([name, value]: [string, unknown]): [string, string][] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((each) => {
    if (typeof each !== "string")
      throw new Refusal("body_malformed", { detail: name.slice(0, 50) });
    return [name, each];
  });
}
