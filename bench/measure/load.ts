import { Client } from "undici";
import { stayAwake } from "./awake.ts";

/** What is requested again and again. */
export interface RepeatedRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Each request carries the next of these, too. */
  readonly inTurn: readonly Readonly<Record<string, string>>[];
}

export interface HTTPResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Persistent connections and their requests. */
export interface Load {
  /** Sends one request and reads its response. */
  once(): Promise<HTTPResponse>;
  /**
   * Sends so many requests over all connections, one at a time on each.
   *
   * @throws {Error} when a response has another status than 200
   */
  send(count: number): Promise<void>;
  close(): Promise<void>;
}

const connections = 16;

export function openLoad({ origin, path, headers, inTurn }: RepeatedRequest): Load {
  const heads = inTurn.map((each) => ({ ...headers, ...each }));
  const clients = Array.from({ length: connections }, () => new Client(origin));
  let sent = 0;

  async function request(client = new Client(origin)) {
    const response = await client.request({
      path,
      method: "GET",
      headers: heads[sent++ % heads.length] ?? headers,
    });
    if (response.statusCode !== 200) {
      throw new Error(`${origin}${path} responded ${response.statusCode}`);
    }
    return response;
  }

  async function drain(client: Client, left: { count: number }): Promise<void> {
    while (left.count > 0) {
      left.count -= 1;
      // oxlint-disable-next-line no-await-in-loop -- one request at a time on one connection
      const { body } = await request(client);
      // oxlint-disable-next-line no-await-in-loop -- the same
      await body.dump();
    }
  }

  return {
    async once() {
      const { statusCode, headers: received, body } = await request(clients[0]);
      return { status: statusCode, headers: received, body: await body.text() };
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
