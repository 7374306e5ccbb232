import { describe, expect, test } from "vitest";

import { findProxy, type RealProxy, startProxy } from "./example-proxy.ts";
import { describeCheckedProxy } from "./checked-proxy.ts";
import { startProxiedApp } from "./proxied-app.ts";

const proxies: readonly RealProxy[] = ["nginx", "haproxy", "caddy"];

for (const proxy of proxies) {
  describe.skipIf(findProxy(proxy) === null)(`${proxy} with its example`, () => {
    describeCheckedProxy((ports) => startProxy(proxy, ports));
  });
}

describe.skipIf(findProxy("nginx") === null)("nginx that passes on any header", () => {
  test("a request with an alias of an identity header is refused by the check itself [AP-055]", async () => {
    const loose = "underscores_in_headers on; ignore_invalid_headers off;";
    const world = await startProxiedApp((ports) =>
      startProxy("nginx", ports, (text) => text.replace("listen ", `${loose} listen `)),
    );
    const statuses = [];
    for (const name of ["Latchkey_Sub", "Latchkey.Sub"]) {
      // oxlint-disable-next-line no-await-in-loop -- one proxy, one after the other
      statuses.push((await world.send("/public", { headers: { [name]: "root" } })).status);
    }
    await world.close();
    expect(statuses).toEqual([400, 400]);
    expect(world.received).toEqual([]);
  });
});
