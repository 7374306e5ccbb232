import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, createServer as createHTTP2Server, type Http2ServerRequest } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";

import { rawBytes } from "../../../test/browser/raw-bytes.ts";
import { hostRequest } from "./node-request.ts";

const own = "https://app.example";
const authorizationOf = (incoming: IncomingMessage | Http2ServerRequest) =>
  hostRequest(incoming as IncomingMessage, own).headers.get("Authorization");

test.each([
  ["two lines", ["Authorization: Bearer a", "Authorization: Bearer b"], "Bearer a, Bearer b"],
  [
    "lines in other letters",
    ["AUTHORIZATION: Basic x", "authorization: DPoP y"],
    "Basic x, DPoP y",
  ],
  [
    "the same line twice",
    ["Authorization: Bearer a", "Authorization: Bearer a"],
    "Bearer a, Bearer a",
  ],
  ["an empty line", ["Authorization: Bearer a", "Authorization:"], "Bearer a, "],
  ["one line", ["X-Authorization: Bearer b", "Authorization: Bearer a"], "Bearer a"],
  ["a value that is the name", ["X: authorization", "Y: Bearer b"], null],
  ["none", [], null],
])("%s of Authorization are read as a whole, not the first alone", async (_, lines, expected) => {
  const read: unknown[] = [];
  const server = createServer((incoming, outgoing) => {
    read.push(authorizationOf(incoming));
    outgoing.end();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "localhost"), "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const head = ["GET / HTTP/1.1", "Host: localhost", "Connection: close", ...lines];
  await rawBytes(origin, `${head.join("\r\n")}\r\n\r\n`);
  expect(read).toEqual([expected]);
});

test("two fields of Authorization over HTTP/2 reach no handler, or are read as a whole", async () => {
  const read: (string | null)[] = [];
  const server = createHTTP2Server((incoming, outgoing) => {
    read.push(authorizationOf(incoming));
    outgoing.end();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "localhost"), "listening");
  const session = connect(`http://localhost:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => session.close());
  const fields = [":path", "/", "authorization", "Bearer a", "authorization", "Bearer b"];
  try {
    await once(session.request(fields).resume(), "close");
  } catch {
    // Node itself sends no such request.
  }
  expect(read.every((each) => each === "Bearer a, Bearer b")).toBe(true);
});
