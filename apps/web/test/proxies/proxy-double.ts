/** What stands in for a proxy that cannot be started here. Its rules are those of its documents. */
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";

export type Pairs = readonly (readonly [name: string, value: string])[];

/** What becomes of a request: it goes on with these headers, or gets this response. */
export type Decision =
  | {
      readonly to: number;
      readonly headers: Pairs;
      readonly changed?: (headers: Pairs) => Pairs;
    }
  | { readonly status: number; readonly headers: Pairs; readonly body: Buffer };

/** The response of another server. */
export interface Fetched {
  readonly status: number;
  readonly headers: Pairs;
  readonly body: Buffer;
}

const hopByHop = new Set(["connection", "keep-alive", "te", "transfer-encoding", "upgrade"]);

/** Starts a proxy on a port. Returns what closes it. */
export async function startDouble(
  port: number,
  decide: (incoming: IncomingMessage) => Promise<Decision>,
): Promise<() => Promise<void>> {
  const server = createServer();
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    void respond(incoming, outgoing, decide);
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex) => {
    void upgrade(incoming, socket, decide);
  });
  await once(server.listen(port, "localhost"), "listening");
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  decide: (incoming: IncomingMessage) => Promise<Decision>,
): Promise<void> {
  const body = await buffer(incoming);
  const decision = await decide(incoming);
  const isPassed = "to" in decision;
  const {
    status,
    headers,
    body: content,
  } = isPassed
    ? await fetchFrom(
        decision.to,
        { method: incoming.method, path: incoming.url },
        decision.headers,
        body,
      )
    : decision;
  const all = isPassed ? (decision.changed?.(headers) ?? headers) : headers;
  outgoing.writeHead(status, all.filter(([name]) => !isOfConnection(name)).flat());
  outgoing.end(content);
}

async function upgrade(
  incoming: IncomingMessage,
  socket: Duplex,
  decide: (incoming: IncomingMessage) => Promise<Decision>,
): Promise<void> {
  const decision = await decide(incoming);
  const type = "to" in decision ? valuesOf(decision.headers, "Upgrade")[0] : undefined;
  if (!("to" in decision)) {
    const lines = decision.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const { status, body } = decision;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body.toString()}`);
    return;
  }
  if (type === undefined) {
    const { status, body } = await fetchFrom(
      decision.to,
      { method: incoming.method, path: incoming.url },
      decision.headers,
    );
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n${body.toString()}`,
    );
    return;
  }
  const headers = [
    ...without(decision.headers, ["Connection", "Upgrade"]),
    ["Connection", "Upgrade"],
    ["Upgrade", type],
  ] as Pairs;
  const asking = request({ ...place(decision.to), path: incoming.url, headers: headers.flat() });
  asking.end();
  await once(asking, "upgrade");
  socket.end(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${type}\r\n\r\n`);
}

/** Requests with exactly these headers. Without an answer: status 0. */
export async function fetchFrom(
  port: number,
  options: Pick<RequestOptions, "method" | "path">,
  headers: Pairs,
  body?: Buffer,
): Promise<Fetched> {
  const kept = headers.filter(
    ([name]) => !isOfConnection(name) && name.toLowerCase() !== "content-length",
  );
  const length =
    body === undefined || body.length === 0 ? [] : [["Content-Length", String(body.length)]];
  const asking = request({ ...place(port), ...options, headers: [...kept, ...length].flat() });
  asking.end(body);
  try {
    const [incoming] = (await once(asking, "response")) as [IncomingMessage];
    return {
      status: incoming.statusCode ?? 0,
      headers: pairsOf(incoming),
      body: await buffer(incoming),
    };
  } catch {
    return { status: 0, headers: [], body: Buffer.alloc(0) };
  }
}

export function pairsOf({ rawHeaders }: IncomingMessage): Pairs {
  return rawHeaders.flatMap((name, index): Pairs =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""]] : [],
  );
}

/** What a client sends, without what its `Connection` names: the proxies remove it first. */
export function clientPairsOf(incoming: IncomingMessage): Pairs {
  const named = (incoming.headers.connection ?? "").split(",").map((name) => name.trim());
  return without(
    pairsOf(incoming),
    named.filter((name) => !isOfConnection(name)),
  );
}

export function without(pairs: Pairs, names: readonly string[]): Pairs {
  const lowerCase = names.map((name) => name.toLowerCase());
  return pairs.filter(([name]) => !lowerCase.includes(name.toLowerCase()));
}

export function valuesOf(pairs: Pairs, name: string): readonly string[] {
  return pairs
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
}

function isOfConnection(name: string): boolean {
  return hopByHop.has(name.toLowerCase());
}

function place(port: number): RequestOptions {
  // The web application listens on any of the addresses of localhost.
  return { host: "localhost", port, agent: false };
}
