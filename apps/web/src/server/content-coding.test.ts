import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { chooseCoding, compressPage } from "./content-coding.ts";

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

function pageFor(acceptEncoding: string): Promise<Response> {
  const request = new Request("http://localhost/", {
    headers: { "accept-encoding": acceptEncoding },
  });
  const headers = { "Content-Type": "text/html; charset=utf-8", "Set-Cookie": "a=b" };
  return compressPage(request, new Response("<h1>Hello</h1>", { status: 404, headers }));
}

test("a page arrives compressed and otherwise as it was", async () => {
  const [br, gzip, plain] = await Promise.all(["br", "gzip", ""].map(pageFor));
  const bytesOf = async (page: Response | undefined) =>
    Buffer.from((await page?.arrayBuffer()) ?? new ArrayBuffer());
  expect(br?.status).toBe(404);
  expect(br?.headers.getSetCookie()).toEqual(["a=b"]);
  expect(br?.headers.get("vary")).toBe("Accept-Encoding, Accept-Language");
  expect(brotliDecompressSync(await bytesOf(br)).toString()).toBe("<h1>Hello</h1>");
  expect(gunzipSync(await bytesOf(gzip)).toString()).toBe("<h1>Hello</h1>");
  expect((await bytesOf(plain)).toString()).toBe("<h1>Hello</h1>");
});

test("what is no page is left alone", async () => {
  const answer = Response.json({});
  expect(await compressPage(new Request("http://localhost/"), answer)).toBe(answer);
});
