import { describe, expect, test } from "vitest";

import { words } from "../../test/words.ts";
import { networkOf } from "./client-network.ts";

function from(source: string, value?: string, remoteAddress?: string): string | undefined {
  const headers = new Headers(value === undefined ? {} : { [source]: value });
  return networkOf({ headers, ...(remoteAddress === undefined ? {} : { remoteAddress }) }, source);
}

describe("an address is shortened to its network", () => {
  test.each([
    ["203.0.113.7", "203.0.113.…"],
    ["203.0.113.7:4711", "203.0.113.…"],
    ["127.0.0.1", "127.0.0.…"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:…"],
    ["[2001:db8:1::5]:443", "2001:db8:1:…"],
    ["[2001:db8:1::5]", "2001:db8:1:…"],
    ["2001:DB8::5", "2001:db8:0:…"],
    ["::1", "0:0:0:…"],
    ["fe80::1%eth0", "fe80:0:0:…"],
    ["::ffff:203.0.113.7", "203.0.113.…"],
    ["::ffff:cb00:7107", "203.0.113.…"],
  ])("%s becomes %s", (address, network) => {
    expect(from("x-real-ip", address)).toBe(network);
    expect(from("socket", undefined, address)).toBe(network);
  });

  test.each([
    ...words`
      unknown _hidden 203.0.113 203.0.113.256 203.0.113.7:1x 0203.0.113.7 1.2.3.4.5 0x7f.0.0.1
      2001:db8 ::g [::1 x[2001:db8::1] [2001:db8::1]x ::1]/[ a.example.com <b>1.2.3.4</b>
    `,
    "",
    " ",
    ":".repeat(5000),
  ])("%j is no address, and nothing is kept", (text) => {
    expect(from("x-real-ip", text)).toBeUndefined();
  });
});

describe("the source of the address", () => {
  test("a list counts from its end, which the nearest proxy has written", () => {
    expect(from("x-forwarded-for", "198.51.100.1, 203.0.113.7")).toBe("203.0.113.…");
    expect(from("X-Forwarded-For", "203.0.113.7 ,")).toBeUndefined();
  });

  test.each([
    ["for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.…"],
    ['for=198.51.100.1, For="[2001:db8:cafe::17]:4711"', "2001:db8:cafe:…"],
    ["proto=https; for=192.0.2.60", "192.0.2.…"],
    ["for=_gazonk", undefined],
    ["proto=https", undefined],
  ])("the header Forwarded is read by its own grammar: %s", (value, network) => {
    expect(from("forwarded", value)).toBe(network);
  });

  test("no header is read unless it was named, and the socket is not read in its place", () => {
    const headers = new Headers({ "x-forwarded-for": "198.51.100.1" });
    const request = { headers, remoteAddress: "203.0.113.7" };
    expect(networkOf(request, "socket")).toBe("203.0.113.…");
    expect(networkOf(request, "x-real-ip")).toBeUndefined();
    expect(networkOf({ headers }, "socket")).toBeUndefined();
  });
});
