import dns, { promises } from "node:dns";
import { once } from "node:events";
import { get } from "node:http";
import { connect, createServer } from "node:net";
import type { LookupFunction } from "node:net";
import { connect as connectTLS } from "node:tls";
import { expect, it } from "vitest";
import { refusedHosts } from "./loopback-only.ts";

const documentation = "192.0.2.1"; // An address without a host (RFC 5737).

function errorOf(socket: { once(name: "error", listener: (error: Error) => void): unknown }) {
  return new Promise<string>((resolve) => socket.once("error", ({ message }) => resolve(message)));
}

it.each([
  ["a socket to an address", () => errorOf(connect(443, documentation)), documentation],
  ["a socket to a name", () => errorOf(connect({ port: 443, host: "example.com" })), "example.com"],
  ["TLS", () => errorOf(connectTLS({ port: 443, host: "::2" })), "::2"],
  ["node:http", () => errorOf(get("http://example.com/")), "example.com"],
  [
    "a lookup of the caller's own",
    () => {
      const lookup: LookupFunction = (_host, _options, found) =>
        found(null, [{ address: documentation, family: 4 }]);
      return errorOf(connect({ port: 443, host: "localhost", lookup }));
    },
    `localhost (${documentation})`,
  ],
  [
    "fetch",
    () => fetch(`https://${documentation}/`).catch((error: Error) => String(error.cause)),
    documentation,
  ],
  [
    "a DNS query",
    () => new Promise((resolve) => dns.lookup("example.com", (error) => resolve(error?.message))),
    "example.com",
  ],
  [
    "a DNS query with a promise",
    () => promises.lookup("example.com").catch(({ message }: Error) => message),
    "example.com",
  ],
])(
  "the guard of tests refuses %s outside of this machine and remembers it",
  async (_how, attempt, host) => {
    expect(await attempt()).toContain(`Tests reach this machine only, not ${host}.`);
    expect(refusedHosts.splice(0)).toEqual([host]);
  },
);

it("the guard of tests finds no address for a reserved name, without a DNS query", async () => {
  const error = await errorOf(connect({ port: 443, host: "provider.invalid" }));
  expect(error).toBe("getaddrinfo ENOTFOUND provider.invalid");
  expect(refusedHosts).toEqual([]);
});

it.each(["localhost", "127.0.0.1", undefined])(
  "the guard of tests lets a socket reach %s",
  async (host) => {
    const server = createServer((socket) => socket.end("hello")).listen(0, host);
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const socket = host === undefined ? connect(port) : connect(port, host);
    const [chunk] = await once(socket, "data");
    expect(String(chunk)).toBe("hello");
    socket.destroy();
    await once(server.close(), "close");
  },
);
