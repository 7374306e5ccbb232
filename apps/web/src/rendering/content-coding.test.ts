import { brotliDecompressSync, gunzipSync } from "node:zlib";

import type { Answer } from "latchkey";
import { expect, test } from "vitest";

import { chooseCoding, encodePage } from "./content-coding.ts";

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br; q=0.0", undefined],
  ["BR", "br"],
  ["identity", undefined],
  [null, undefined],
])("of %j takes %s", (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

function pageFor(acceptEncoding: string): Answer {
  const headers = new Headers({ "accept-encoding": acceptEncoding });
  return encodePage(
    { headers },
    {
      status: 404,
      headers: [
        ["Content-Type", "text/html; charset=utf-8"],
        ["Vary", "Cookie"],
        ["Set-Cookie", "a=b"],
      ],
      body: "<h1>Hello</h1>",
    },
  );
}

test("a page arrives compressed and otherwise as it was", () => {
  const [br, gzip, plain] = [pageFor("br"), pageFor("gzip"), pageFor("")];
  for (const { status, headers } of [br, gzip, plain]) {
    expect(status).toBe(404);
    expect(headers).toContainEqual(["Set-Cookie", "a=b"]);
    expect(headers).toContainEqual(["Vary", "Cookie, Accept-Encoding, Accept-Language"]);
  }
  expect(br.headers).toContainEqual(["Content-Encoding", "br"]);
  expect(brotliDecompressSync(br.body ?? "").toString()).toBe("<h1>Hello</h1>");
  expect(gzip.headers).toContainEqual(["Content-Encoding", "gzip"]);
  expect(gunzipSync(gzip.body ?? "").toString()).toBe("<h1>Hello</h1>");
  expect(plain.body).toBe("<h1>Hello</h1>");
});

test("what is no page is left alone", () => {
  const answer: Answer = { status: 200, headers: [["Content-Type", "text/plain"]], body: "{}" };
  expect(encodePage({ headers: new Headers() }, answer)).toBe(answer);
});
