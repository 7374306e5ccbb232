import {
  carriage,
  createBody,
  type Fetch,
  type Incoming,
  isRedirect,
  TimedOut,
  type Transport,
} from "./transport.ts";

/** Calls the provider by the Fetch API: that of the app, or of a runtime that has nothing quicker. */
export function fetchTransport(fetch: Fetch): Transport {
  return async (address, request, { timeoutMs, bodyBytes }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(address, { ...request, signal, redirect: "manual" });
      return await incoming(response, bodyBytes);
    } catch (cause) {
      throw signal.aborted ? new TimedOut("fetch", { cause }) : cause;
    }
  };
}

async function incoming(response: Response, limit: number): Promise<Incoming> {
  const headers = Object.fromEntries(response.headers);
  for (const name of carriage) delete headers[name];
  // A browser's fetch shows a redirect as nothing at all.
  const status = response.type === "opaqueredirect" ? 302 : response.status;
  const body = isRedirect(status) ? new Uint8Array() : await readCapped(response, limit);
  return { status, headers, body };
}

async function readCapped(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const body = createBody(limit);
  if (response.body !== null) {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      body.add(chunk);
    }
  }
  return body.all();
}
