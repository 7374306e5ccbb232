import { type IncomingMessage, request as requestPlain, type RequestOptions } from "node:http";
import { request as requestSecure } from "node:https";
import { brotliDecompressSync, unzipSync } from "node:zlib";

import { Refusal } from "../errors/refusal.ts";
import {
  carriage,
  createBody,
  type Incoming,
  isRedirect,
  type Limits,
  type Outgoing,
  TimedOut,
  type Transport,
} from "./transport.ts";

/**
 * Calls the provider with what the runtime has: `node:http`, whose client costs a fraction of what `fetch` costs
 * there. The agents are those of the process, so connections stay open between calls, and proxies that Node was
 * told of are used.
 */
export const providerTransport: Transport = (address, request, limits) =>
  new Promise((resolve, reject) => {
    const outgoing = send(address, request);
    const giveUp = (reason: unknown) => {
      // First the reason: what a destroyed request says of itself comes too late then.
      reject(reason);
      outgoing.destroy();
    };
    const deadline = setTimeout(() => giveUp(new TimedOut()), limits.timeoutMs);
    outgoing.on("error", reject);
    outgoing.on("close", () => clearTimeout(deadline));
    outgoing.on("response", (answer) => receive(answer, limits, resolve, giveUp));
    outgoing.end(request.body?.toString());
  });

function send(address: string, { method, headers }: Outgoing) {
  const options: RequestOptions = { method, headers };
  return address.startsWith("https:")
    ? requestSecure(address, options)
    : requestPlain(address, options);
}

function receive(
  answer: IncomingMessage,
  { bodyBytes }: Limits,
  resolve: (incoming: Incoming) => void,
  giveUp: (reason: unknown) => void,
): void {
  const { statusCode: status = 0 } = answer;
  const body = createBody(bodyBytes);
  const orGiveUp = (step: () => void) => {
    try {
      step();
    } catch (error) {
      giveUp(error);
    }
  };
  answer.on("error", giveUp);
  if (isRedirect(status)) {
    resolve({ status, headers: plainHeaders(answer), body: body.all() });
    answer.destroy();
    return;
  }
  answer.on("data", (chunk: Uint8Array) => orGiveUp(() => body.add(chunk)));
  answer.on("end", () =>
    orGiveUp(() => {
      const encoding = answer.headers["content-encoding"];
      const plain = decoded(body.all(), encoding, bodyBytes);
      resolve({ status, headers: plainHeaders(answer), body: plain });
    }),
  );
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!carriage.includes(name)) plain[name] = String(value);
  }
  return plain;
}

/** We ask for no encoding; there are servers that use one all the same. */
function decoded(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string | undefined,
  limit: number,
): Uint8Array<ArrayBuffer> {
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  const decode = encoding.toLowerCase() === "br" ? brotliDecompressSync : unzipSync;
  try {
    return decode(bytes, { maxOutputLength: limit });
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError;
    throw isTooLarge ? new Refusal("answer_too_large", { cause }) : cause;
  }
}
