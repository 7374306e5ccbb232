import { expect, onTestFinished, test } from "vitest";

import { createHTTPServer, listen } from "../../serving/http-server.ts";
import { createOperatorApps, listenForOperators } from "./operator-apps.ts";

test("an error names the variables of an operators' port in use", async () => {
  const taken = createHTTPServer({ fetch: () => new Response(), headers: [] });
  const port = await listen(taken, 0, "localhost");
  onTestFinished(() => void taken.close());
  const apps = createOperatorApps();
  apps.at(port);
  await expect(listenForOperators(apps, "localhost")).rejects.toThrow(
    `Port ${port} is taken by another program. Stop that one, or choose another port with LATCHKEY_HEALTH_PORT or LATCHKEY_METRICS_PORT.`,
  );
});

test("what listens on one port answers there, and what listens on another does not", async () => {
  const apps = createOperatorApps();
  apps.at(0).get("/metrics", ({ text }) => text("here"));
  expect((await apps.own.request("/metrics")).status).toBe(404);
  expect(await (await apps.at(0).request("/metrics")).text()).toBe("here");
});
