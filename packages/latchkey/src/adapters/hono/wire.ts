/**
 * What the adapter uses of Hono 4.13.19 and `@hono/node-server` 2.1.8 beyond their documentation.
 */
import type { Context } from "hono";
import type { IncomingMessage, ServerResponse } from "node:http";

import { fromFetchRequest, type HostRequest } from "../../http/auth-request.ts";

/**
 * The response of Node, which `@hono/node-server` hands to the app. Headers added to it need not
 * pass a `Headers`, which reads a large cookie character by character: a quarter of the cost of
 * sign-in.
 * https://github.com/honojs/node-server/blob/main/src/types.ts
 */
export function nodeResponse(env: unknown): ServerResponse | null {
  const { outgoing } = (env ?? {}) as { readonly outgoing?: Partial<ServerResponse> };
  return typeof outgoing?.writeHead === "function" ? (outgoing as ServerResponse) : null;
}

/**
 * An earlier middleware may have read the body through `c.req`, which keeps it.
 * https://github.com/honojs/hono/blob/v4.13.19/src/request.ts
 */
export function hostRequest({ req: request, env }: Context, origin: string): HostRequest {
  const { incoming } = (env ?? {}) as { readonly incoming?: Partial<IncomingMessage> };
  const remoteAddress = incoming?.socket?.remoteAddress;
  const received = { ...fromFetchRequest(request.raw, origin), remoteAddress };
  const isKept = Object.keys(request.bodyCache).length > 0;
  return isKept ? { ...received, body: async () => formText(await request.formData()) } : received;
}

function formText(form: FormData): string {
  // Types with files have been refused before.
  return new URLSearchParams([...form] as [string, string][]).toString();
}

/**
 * Replaces the response. The setter of `c.res` would merge the headers of the former one.
 * https://github.com/honojs/hono/blob/v4.13.19/src/context.ts
 */
export function replaceResponse(c: Context, response: Response): void {
  c.res = undefined;
  c.res = response;
}
