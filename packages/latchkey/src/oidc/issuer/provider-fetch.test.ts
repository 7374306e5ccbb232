import { spawn } from "node:child_process";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { atEnd } from "../../../test/at-end.ts";
import { startServer } from "../../../test/servers/server.ts";
import { bodyLimit, createProviderFetch } from "./provider-fetch.ts";

let answerWith: (...exchange: Parameters<RequestListener>) => unknown;
const connections = new Set<unknown>();

const { origin, serve, close } = await startServer();
atEnd(close);
serve((request, response) => {
  connections.add(request.socket);
  answerWith(request, response);
});
beforeEach(() => {
  answerWith = (_request, response) => response.end("fine");
});

const endpoint = "token";
const get = { endpoint, method: "GET", headers: { accept: "application/json" } } as const;
const callBy = (by: typeof fetch, timeoutMs = 2000) =>
  createProviderFetch({ fetch: by, timeoutMs, clock: Date.now });
const call = callBy(fetch);

test("the fetch sends method, headers, form and User-Agent, and returns a complete response", async () => {
  answerWith = async (request, response) => {
    const chunks = (await request.toArray()) as Buffer[];
    response.writeHead(201, {
      "content-type": "text/plain",
      "x-agent": request.headers["user-agent"],
    });
    response.write(`${request.method} ${request.headers["content-type"]} `);
    setImmediate(() => response.end(Buffer.concat(chunks)));
  };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ name: "Zoë & co" });
  const response = await call(origin, { endpoint, method: "POST", headers, body });
  expect(response.status).toBe(201);
  expect(response.headers.get("content-type")).toBe("text/plain");
  expect(response.headers.get("x-agent")).toMatch(/^latchkey\//);
  const text = "POST application/x-www-form-urlencoded name=Zo%C3%AB+%26+co";
  expect(await response.text()).toBe(text);
  expect(await response.text()).toBe(text);
});

test("the fetch uses its connections again for later calls", async () => {
  const before = connections.size;
  for (let count = 0; count < 10; count += 1) await call(origin, get);
  expect(connections.size - before).toBeLessThanOrEqual(2);
});

test.each([204, 205, 400, 599])(
  "the fetch returns a response with the status %i",
  async (status) => {
    answerWith = (_request, response) => response.writeHead(status).end();
    expect(await call(origin, get)).toMatchObject({ status });
  },
);

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("the fetch reads a body compressed with %s", async (encoding, encode) => {
  answerWith = (_request, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(encode("plain after all"));
  };
  expect(await (await call(origin, get)).text()).toBe("plain after all");
});

describe("the fetch refuses a body beyond the limit", () => {
  const tooLarge = { reason: "response_too_large" };
  const large = Buffer.alloc(bodyLimit + 1, "x");

  test("with a declared length, while one byte less is read", async () => {
    answerWith = (_request, response) => response.end(large);
    await expect(call(`${origin}/here?secret=x`, get)).rejects.toMatchObject({
      ...tooLarge,
      detail: `${origin}/here responded with more than 262144 bytes`,
    });
    answerWith = (_request, response) => response.end(large.subarray(1));
    expect((await (await call(origin, get)).arrayBuffer()).byteLength).toBe(bodyLimit);
  });

  test("in pieces without end, and closes its connection", async () => {
    const closed = new Promise((resolve) => {
      answerWith = (_request, response) => {
        const timer = setInterval(() => response.write(large.subarray(0, 65_536)), 1);
        response.on("close", () => resolve(clearInterval(timer)));
      };
    });
    await expect(call(origin, get)).rejects.toMatchObject(tooLarge);
    await closed;
  });

  test("small until it is decompressed, before much of it is in memory", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(bodyLimit);
    answerWith = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    };
    let taken = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        taken += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    const counted: typeof fetch = async (...request) =>
      new Response((await fetch(...request)).body?.pipeThrough(counting));
    await expect(callBy(counted)(origin, get)).rejects.toMatchObject(tooLarge);
    expect(taken).toBeLessThan(2 * bodyLimit);
  });
});

test.each([300, 301, 302, 303, 307, 308])(
  "neither follows nor reads a redirect with status %i, and reports its target",
  async (status) => {
    const asked: (string | undefined)[] = [];
    const closed = Promise.withResolvers<void>();
    // Its time limit does not close the connection.
    const patient = callBy(fetch, 600_000);
    answerWith = (request, response) => {
      asked.push(request.url);
      response.writeHead(status, { location: `${origin}/elsewhere` }).write("without end");
      response.on("close", closed.resolve);
    };
    await expect(patient(`${origin}/here?secret=x`, get)).rejects.toMatchObject({
      reason: "provider_redirected",
      detail: `${origin}/here responded with ${status}`,
      location: `${origin}/elsewhere`,
    });
    expect(asked).toEqual(["/here?secret=x"]);
    await closed.promise;
  },
);

test("the fetch takes the opaque response of a browser's fetch for a redirect without a known target", async () => {
  const opaque = { type: "opaqueredirect", status: 0, body: null, headers: new Headers() };
  const inBrowser = callBy(() => Promise.resolve(opaque as Response));
  await expect(inBrowser(origin, get)).rejects.toMatchObject({
    reason: "provider_redirected",
    location: null,
  });
});

describe("the fetch gives up at the deadline when", () => {
  test.each<[string, RequestListener]>([
    ["no response comes", () => undefined],
    ["the body stops after the headers", (_request, response) => void response.write("{")],
    [
      "the body comes byte by byte",
      (_request, response) => {
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("%s", async (_, listener) => {
    answerWith = listener;
    await expect(callBy(fetch, 150)(`${origin}/?a=secret`, get)).rejects.toMatchObject({
      reason: "provider_timeout",
      detail: `${origin}/: outgoing request timed out after 150ms`,
      cause: { name: "TimeoutError" },
    });
  });
});

describe("the fetch reports an unreachable provider if", () => {
  const unreachable = { reason: "provider_unreachable" };

  test.each<[string, RequestListener]>([
    ["before the response", (request) => void request.socket.destroy()],
    [
      "within the body",
      (request, response) => {
        response.writeHead(200, { "content-length": "10" }).write("half");
        setTimeout(() => request.socket.destroy(), 20);
      },
    ],
  ])("the connection breaks off %s", async (_, listener) => {
    answerWith = listener;
    await expect(call(origin, get)).rejects.toMatchObject(unreachable);
  });

  test("no server listens at its port", async () => {
    const gone = await startServer();
    await gone.close();
    await expect(call(`${gone.origin}/?a=secret`, get)).rejects.toMatchObject({
      ...unreachable,
      detail: expect.stringMatching(/^http:\/\/localhost:\d+\/: .*ECONNREFUSED/) as string,
    });
  });

  test("the server speaks http, and names the setting", async () => {
    answerWith = (_request, response) => void response.end("plain");
    const detail = expect.stringMatching(
      /^https:[^ ]+: [a-z ]+; the server does not speak .* write http:.* in LATCHKEY_ISSUER_BASE_URL$/,
    ) as string;
    await expect(call(origin.replace("http:", "https:"), get)).rejects.toMatchObject({
      ...unreachable,
      detail,
    });
  });

  test("a header would become two", async () => {
    const headers = { "x-name": "one\r\nX-Other: two" };
    await expect(call(origin, { endpoint, method: "GET", headers })).rejects.toMatchObject(
      unreachable,
    );
  });
});

describe("a call that fails on its way", () => {
  const coded = (message: string) => Object.assign(new Error(message), { code: "ECONNREFUSED" });

  const failed = (cause: Error) => new TypeError("fetch failed", { cause });

  test.each([
    ["the message of its cause", failed(coded("refused")), "refused"],
    ["its own where the cause has none", failed(coded("")), "fetch failed"],
    ["its own where there is no cause", coded("no address"), "no address"],
    ["its code where it has no message", coded(""), "ECONNREFUSED"],
    ["nothing where it has neither", new Error(""), ""],
    ["its own where the cause is no error", new Error("odd", { cause: null }), "odd"],
    ["that it failed where it is no error", null, "failed"],
  ])("is reported as %s, and not repeated", async (_, thrown, told) => {
    let calls = 0;
    const failing = callBy(() => ((calls += 1), Promise.reject(thrown)));
    await expect(failing(`${origin}/here`, get)).rejects.toMatchObject({
      reason: "provider_unreachable",
      detail: `${origin}/here: ${told}`,
      cause: thrown,
    });
    expect(calls).toBe(1);
  });
});

test("a call leaves no timer behind", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const quick = callBy(async () => new Response(null, { status: 503 }));
  await expect(quick(origin, get)).rejects.toMatchObject({
    reason: "provider_busy",
    detail: `${origin} responded with 503`,
  });
  expect(vi.getTimerCount()).toBe(0);
});

describe("a provider that returns Retry-After is busy for that time", () => {
  const [date, later] = ["Sun, 22 Nov 2026 10:00:00 GMT", "Sun, 22 Nov 2026 10:00:07 GMT"];

  test.each([
    [429, { "retry-after": "7" }, 7],
    [503, { "retry-after": " 7 " }, 7],
    [503, { date, "retry-after": later }, 7],
    [503, { "retry-after": "3600" }, 120],
    [503, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
    [429, { "retry-after": "12" }, 12],
    [429, { "retry-after": "7 s" }, undefined],
    [429, { "retry-after": "soon" }, undefined],
    [429, { "retry-after": "about 7" }, 0],
    [503, {}, undefined],
  ])("status %i with %j (RFC 9110, 10.2.3)", async (status, headers, seconds) => {
    answerWith = (_request, response) => response.writeHead(status, headers).end("{}");
    await expect(call(origin, get)).rejects.toMatchObject({
      reason: "provider_busy",
      retryAfterSeconds: seconds,
    });
  });
});

describe("a connection that the provider closes as a request arrives [OP-047]", () => {
  /** Answers the first request, and resets the connection of as many after it. */
  function closing(times: number): { readonly requests: () => number } {
    let requests = 0;
    answerWith = (request, response) => {
      requests += 1;
      if (requests > 1 && requests <= 1 + times) request.socket.resetAndDestroy();
      else response.end("fine");
    };
    return { requests: () => requests };
  }

  test("costs a GET a second try on a new connection, and no third", async () => {
    const { requests } = closing(3);
    await call(origin, get);
    await expect(call(origin, get)).rejects.toMatchObject({ reason: "provider_unreachable" });
    expect(requests()).toBe(3);
    expect((await call(origin, get)).status).toBe(200);
    expect(requests()).toBe(5);
  });

  test("is not repeated for a POST: it may have been carried out", async () => {
    const { requests } = closing(1);
    const body = new URLSearchParams({ code: "once" });
    const post = { endpoint, method: "POST", headers: {}, body } as const;
    await call(origin, post);
    await expect(call(origin, post)).rejects.toMatchObject({ reason: "provider_unreachable" });
    expect(requests()).toBe(2);
  });
});

test("a response from while the process was stopped is taken after its time limit", async () => {
  const program = `
    import { createProviderFetch } from ${JSON.stringify(join(import.meta.dirname, "provider-fetch.ts"))};
    const call = createProviderFetch({ fetch, timeoutMs: 1500, clock: Date.now });
    const request = { method: "POST", headers: {}, body: new URLSearchParams() };
    const response = await call(${JSON.stringify(origin)}, request);
    process.send(await response.text());
    process.disconnect();`;
  const flags = ["--conditions=@latchkey/source", "--input-type=module", "--eval", program];
  const stopped = spawn(process.execPath, flags, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  onTestFinished(() => void stopped.kill("SIGKILL"));
  answerWith = async (_request, response) => {
    stopped.kill("SIGSTOP");
    await sleep(200);
    response.end("in time");
    await sleep(1900);
    stopped.kill("SIGCONT");
  };
  const [text] = (await once(stopped, "message")) as [string];
  expect(text).toBe("in time");
});
