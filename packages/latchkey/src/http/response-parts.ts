import type { HeaderList } from "./headers.ts";

/** A response as values, before the host writes it. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Uint8Array<ArrayBuffer> | StreamingBody | null;
  /** The connection chosen for it, for telemetry; see `Connection.named`. */
  readonly connection?: string | undefined;
  /** The error behind it, for apps that respond to it themselves. */
  readonly error?: unknown;
}

/**
 * A body that continues while the client stays. The host calls it once, when it sends the response.
 *
 * @returns a function for the host to call when the client has left
 */
export type StreamingBody = (sink: BodySink) => () => void;

/** The target of a streaming body. */
export interface BodySink {
  write(text: string): void;
  end(): void;
}

/** A redirect with an empty body: `status` 302, or 303 for a request other than GET. */
export function redirect(
  location: string,
  status: 302 | 303,
  headers: HeaderList = [],
): ResponseParts {
  return { status, headers: [["Location", location], ...headers], body: null };
}

export function json(body: unknown, status: number, headers: HeaderList = []): ResponseParts {
  return withContentType("application/json; charset=utf-8", JSON.stringify(body), {
    status,
    headers,
  });
}

export function text(body: string, status: number, headers: HeaderList = []): ResponseParts {
  return withContentType("text/plain; charset=utf-8", body, { status, headers });
}

/** HTML, and the `Content-Security-Policy` which lets its own styles and scripts run. */
export interface PageWithPolicy {
  readonly html: string;
  readonly policy: string;
}

export function html(
  page: string | PageWithPolicy,
  status: number,
  headers: HeaderList = [],
): ResponseParts {
  if (typeof page === "string")
    return withContentType("text/html; charset=utf-8", page, { status, headers });
  return html(page.html, status, [["Content-Security-Policy", page.policy], ...headers]);
}

export function empty(status: number, headers: HeaderList = []): ResponseParts {
  return { status, headers, body: null };
}

function withContentType(
  type: string,
  body: string,
  { status, headers }: Omit<ResponseParts, "body">,
): ResponseParts {
  return { status, headers: [["Content-Type", type], ...headers], body };
}

/**
 * Returns a redirect as JSON, for a framework's client that follows it by itself; any other
 * response as it is.
 */
export function redirectAsJSON(
  response: Response,
  bodyOf: (location: string, status: number) => object,
): Response {
  const { headers, status } = response;
  const location = headers.get("location");
  if (location === null || status < 300) return response;
  const rest = new Headers(headers);
  rest.delete("location");
  rest.set("content-type", "application/json");
  return new Response(JSON.stringify(bodyOf(location, status)), { headers: rest });
}

export function toResponse({ status, headers, body }: ResponseParts): Response {
  const content = typeof body === "function" ? readableStream(body) : body;
  return new Response(content, { status, headers: webHeaders(headers) });
}

/**
 * Headers by their names in small letters: `@hono/node-server` writes an object as it is, without
 * a `Headers`. Several cookies need pairs.
 */
function webHeaders(headers: HeaderList): Record<string, string> | [string, string][] {
  const byName: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = byName[key];
    if (before !== undefined && key === "set-cookie") return headers.map((each) => [...each]);
    byName[key] = before === undefined ? value : `${before}, ${value}`;
  }
  return byName;
}

function readableStream(body: StreamingBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let onLeave: () => void;
  return new ReadableStream({
    start(controller) {
      onLeave = body({
        write: (piece) => controller.enqueue(encoder.encode(piece)),
        end: () => controller.close(),
      });
    },
    cancel: () => onLeave(),
  });
}
