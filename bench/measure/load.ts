import { Client } from "undici";
import { stayAwake } from "./awake.ts";

/** What is asked again and again. */
export interface Ask {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Each request carries the next one. */
  readonly cookies: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Connections that are kept alive between the rounds, and the requests sent over them. */
export interface Load {
  /** One request, its answer read. */
  once(): Promise<Answer>;
  /**
   * So many requests, in order over all connections; each waits for the one before it on its connection.
   *
   * @throws {Error} when an answer has another status than the first one had
   */
  send(count: number): Promise<void>;
  close(): Promise<void>;
}

const connections = 16;

export function openLoad({ origin, path, headers, cookies }: Ask): Load {
  const heads =
    cookies.length === 0 ? [headers] : cookies.map((cookie) => ({ ...headers, cookie }));
  let asked = 0;
  const clients = Array.from(
    { length: connections },
    () => new Client(origin, { maxHeaderSize: 64 * 1024 }),
  );
  let expected: number | undefined;

  function ask(client: Client) {
    const head = heads[asked++ % heads.length] ?? headers;
    return client.request({ path, method: "GET", headers: head });
  }

  async function drain(client: Client, left: { count: number }): Promise<void> {
    while (left.count > 0) {
      left.count -= 1;
      const { statusCode, body } = await ask(client);
      await body.dump();
      expected ??= statusCode;
      if (statusCode !== expected) {
        throw new Error(`${origin}${path} answered ${statusCode}, before ${expected}`);
      }
    }
  }

  return {
    async once() {
      const [client] = clients;
      if (client === undefined) throw new Error("There is no connection");
      const { statusCode, headers: answered, body } = await ask(client);
      return { status: statusCode, headers: answered, body: await body.text() };
    },
    async send(count) {
      const left = { count };
      const maySleep = stayAwake();
      await Promise.all(clients.map((client) => drain(client, left))).finally(maySleep);
    },
    async close() {
      await Promise.all(clients.map((client) => client.destroy()));
    },
  };
}
