import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { providerTransport as onNode } from "./provider-transport.node.ts";
import { providerTransport as onTheWeb } from "./provider-transport.ts";
import { TimedOut } from "./transport.ts";

let server: Server;
let origin: string;
let answerWith: (...exchange: Parameters<RequestListener>) => unknown;
let connections = 0;

beforeAll(async () => {
  server = createServer((request, response) => answerWith(request, response));
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answerWith = (_request, response) => response.end("fine");
});

const question = { method: "GET", headers: { accept: "application/json" }, body: null };
const limits = { timeoutMs: 2000, bodyBytes: 1000 };
const tooLarge = { reason: "answer_too_large" };
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe.each([
  ["node:http", onNode],
  ["fetch", onTheWeb],
])("the provider is called by %s", (_name, transport) => {
  test("with method, headers and a form, and the answer is read to its end", async () => {
    answerWith = async (request, response) => {
      const chunks = (await request.toArray()) as Buffer[];
      response.writeHead(201, { "Content-Type": "text/plain", "X-Seen": `${request.method}` });
      response.write(`${request.headers["content-type"]} `);
      setImmediate(() => response.end(Buffer.concat(chunks)));
    };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ name: "Zoë & co" });
    const answer = await transport(origin, { method: "POST", headers, body }, limits);
    expect(answer).toMatchObject({
      status: 201,
      headers: { "content-type": "text/plain", "x-seen": "POST" },
    });
    expect(textOf(answer.body)).toBe("application/x-www-form-urlencoded name=Zo%C3%AB+%26+co");
  });

  test("and one connection does for several calls", async () => {
    await transport(origin, question, limits);
    const before = connections;
    for (let count = 0; count < 3; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is what is looked at
      await transport(origin, question, limits);
    }
    expect(connections).toBe(before);
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("and reads an answer in %s, though it asked for none", async (encoding, encode) => {
    answerWith = (_request, response) => {
      response.writeHead(200, { "Content-Encoding": encoding }).end(encode("plain after all"));
    };
    const answer = await transport(origin, question, limits);
    expect(textOf(answer.body)).toBe("plain after all");
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers).not.toHaveProperty("content-length");
  });

  test("and refuses an answer that is too large, also once it is unpacked", async () => {
    const large = Buffer.alloc(1001, "x");
    answerWith = (_request, response) => response.end(large);
    await expect(transport(origin, question, limits)).rejects.toMatchObject(tooLarge);
    answerWith = (_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(large));
    };
    await expect(transport(origin, question, limits)).rejects.toMatchObject(tooLarge);
  });

  test("and follows no redirect and reads none", async () => {
    const asked: (string | undefined)[] = [];
    answerWith = (request, response) => {
      asked.push(request.url);
      response.writeHead(307, { Location: `${origin}/elsewhere` }).write("without end");
    };
    const answer = await transport(`${origin}/here`, question, limits);
    expect(answer.status).toBe(307);
    expect(answer.headers["location"]).toBe(`${origin}/elsewhere`);
    expect(answer.body).toHaveLength(0);
    expect(asked).toEqual(["/here"]);
  });

  test.each<[string, RequestListener]>([
    ["never comes", () => undefined],
    ["stops after the headers", (_request, response) => void response.write("{")],
    [
      "comes byte by byte",
      (_request, response) => {
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("and gives up at the deadline where the answer %s", async (_, listener) => {
    answerWith = listener;
    const started = performance.now();
    const call = transport(origin, question, { ...limits, timeoutMs: 150 });
    await expect(call).rejects.toBeInstanceOf(TimedOut);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test.each<[string, RequestListener]>([
    ["before the answer", (request) => void request.socket.destroy()],
    [
      "within the answer",
      (request, response) => {
        response.writeHead(200, { "Content-Length": "10" }).write("half");
        setTimeout(() => request.socket.destroy(), 20);
      },
    ],
  ])("and fails at once where the connection breaks off %s", async (_, listener) => {
    answerWith = listener;
    const call = transport(origin, question, limits);
    await expect(call).rejects.toBeInstanceOf(Error);
    await expect(call).rejects.not.toBeInstanceOf(TimedOut);
  });

  test("and fails where nobody listens", async () => {
    const call = transport("http://localhost:1", question, limits);
    await expect(call).rejects.toBeInstanceOf(Error);
    await expect(call).rejects.not.toBeInstanceOf(TimedOut);
  });

  test("and sends no header that would be two", async () => {
    const headers = { "x-name": "one\r\nX-Other: two" };
    await expect(transport(origin, { ...question, headers }, limits)).rejects.toBeInstanceOf(
      TypeError,
    );
  });
});
