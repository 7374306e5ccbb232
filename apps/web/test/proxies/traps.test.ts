import { describe, expect, test } from "vitest";

import { startEnvoyDouble } from "./envoy-double.ts";
import { findProxy, startProxy } from "./example-proxy.ts";
import { startProxiedApp } from "./proxied-app.ts";
import { startTraefikDouble } from "./traefik-double.ts";

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

test("a Traefik that keeps aliases passes none, since the check refuses such a request [AP-055]", async () => {
  const keeping = (text: string) => text.replace("Strategy: delete", "Strategy: keep");
  const world = await startProxiedApp((ports) => startTraefikDouble(ports, keeping));
  const { status } = await world.send("/public", { headers: { "Latchkey.Sub": "root" } });
  await world.close();
  expect([status, world.received]).toEqual([400, []]);
});

test("the answer names the cookie to remove if none of the application remains [AP-055]", async () => {
  const world = await startProxiedApp((ports) => startEnvoyDouble(ports));
  await world.send("/page", { headers: { cookie: world.app.cookies } });
  await world.close();
  expect(world.received.map(({ headers }) => headers.cookie)).toEqual([undefined]);
});
