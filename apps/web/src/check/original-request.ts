import type { IncomingMessage } from "node:http";

import type { ProxyContract } from "./proxies.ts";

/** The request behind the question of a proxy. */
export interface OriginalRequest {
  readonly method: string;
  /** In lower case. */
  readonly host: string;
  /** Path and query, as sent. */
  readonly target: string;
}

/** Why there is no answer: a sentence for the operator. */
export interface Fault {
  readonly fault: string;
}

type Asked = Pick<IncomingMessage, "method" | "rawHeaders">;

/**
 * Reads the original request as the contract of the proxy says. Any other header is only a claim of
 * the client.
 *
 * @param rest of the address of the question
 */
export function readOriginal(
  { original }: ProxyContract,
  rest: string,
  asked: Asked,
): OriginalRequest | Fault {
  if (original === "itself") {
    const host = onlyHeader(asked, "Host");
    if (typeof host === "object") return host;
    return checkOriginal({
      method: asked.method ?? "",
      host,
      target: rest.startsWith("/") ? rest : `/${rest}`,
    });
  }
  const [method, host, target] = [
    onlyHeader(asked, "X-Forwarded-Method"),
    onlyHeader(asked, "X-Forwarded-Host"),
    onlyHeader(asked, "X-Forwarded-Uri"),
  ];
  if (typeof method === "object") return method;
  if (typeof host === "object") return host;
  if (typeof target === "object") return target;
  return checkOriginal({ method, host, target });
}

function onlyHeader({ rawHeaders }: Asked, name: string): string | Fault {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name.toLowerCase(),
  );
  const [value] = values;
  if (value === undefined)
    return { fault: `The proxy sent no ${name}: set it in its configuration.` };
  if (values.length === 1) return value;
  return {
    fault: `The proxy sent ${name} ${values.length} times: set it instead of adding to what the client sent.`,
  };
}

/** A standard method, since rules name methods by these letters. */
const methodForm = /^[A-Z]+(?:-[A-Z]+)*$/;
const hostForm = /^[\w.:[\]-]+$/;
// oxlint-disable-next-line no-control-regex -- these very characters are looked for
const targetForm = /^\/[^\u0000-\u0020\u007f#]*$/;

function checkOriginal({ method, host, target }: OriginalRequest): OriginalRequest | Fault {
  if (!methodForm.test(method)) return { fault: "The forwarded method is no method of HTTP." };
  if (!hostForm.test(host)) return { fault: "The forwarded host is not one host." };
  if (!targetForm.test(target)) return { fault: "The forwarded address is no path with a query." };
  return { method, host: host.toLowerCase(), target };
}
