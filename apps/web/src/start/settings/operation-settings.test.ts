import { expect, test } from "vitest";

import { readOperationSettings } from "./operation-settings.ts";

const app = { production: true, port: 3000 };

test.each([
  ["LATCHKEY_METRICS_PORT", "LATCHKEY_METRICS_TOKEN"],
  ["LATCHKEY_HEALTH_PORT", "leave it out"],
])("%s equal to PORT is a fault whose remedy names %s", (variable, remedy) => {
  expect(readOperationSettings({ [variable]: "3000" }, app).faults).toMatchObject([
    { variable, seen: "3000", remedy: expect.stringContaining(remedy) },
  ]);
});

test("production waits five seconds for its balancer, development does not", () => {
  const drainOf = (production: boolean) =>
    readOperationSettings({}, { production, port: 3000 }).operation.drain;
  expect(drainOf(true)).toEqual({ delayMs: 5000, limitMs: 25_000 });
  expect(drainOf(false)).toEqual({ delayMs: 0, limitMs: 25_000 });
});

test("what is set is taken", () => {
  const { operation, faults } = readOperationSettings(
    {
      LATCHKEY_DRAIN_DELAY: "2.5",
      LATCHKEY_DRAIN_LIMIT: "60",
      LATCHKEY_HEALTH_PORT: "9000",
      LATCHKEY_HEALTH_TOKEN: " token ",
      LATCHKEY_START_WITHOUT_STORE: "yes",
    },
    app,
  );
  expect(faults).toEqual([]);
  expect(operation).toEqual({
    drain: { delayMs: 2500, limitMs: 60_000 },
    health: { port: 9000, token: "token" },
    metrics: {},
    startsWithoutStore: true,
  });
});

test.each([
  { LATCHKEY_DRAIN_DELAY: "soon" },
  { LATCHKEY_DRAIN_DELAY: "-1" },
  { LATCHKEY_DRAIN_LIMIT: "24" },
  { LATCHKEY_DRAIN_LIMIT: "Infinity" },
  { LATCHKEY_HEALTH_PORT: "70000" },
  { LATCHKEY_METRICS_PORT: "x" },
])("an impossible value is a fault of its variable: %j", (environment) => {
  const { faults } = readOperationSettings(environment, app);
  expect(faults.map(({ variable }) => variable)).toEqual(Object.keys(environment));
});

test("a drain shorter than a sign-in at a slow provider is a fault", () => {
  const { faults } = readOperationSettings(
    { LATCHKEY_HTTP_TIMEOUT: "9000" },
    { ...app, production: false },
  );
  expect(faults).toMatchObject([
    { variable: "LATCHKEY_DRAIN_LIMIT", message: expect.stringContaining("at least 36") },
  ]);
});

test("metrics and an audit are off until they are wanted", () => {
  const { operation } = readOperationSettings({}, app);
  expect(operation).toMatchObject({ metrics: {}, audit: undefined });
});

test("an audit identifies people by a hash, and needs a key for it", () => {
  const LATCHKEY_AUDIT_KEY = "a key of sixteen characters";
  const read = (more: Record<string, string>) =>
    readOperationSettings({ LATCHKEY_AUDIT: "stdout", ...more }, app);
  expect(read({ LATCHKEY_AUDIT_KEY }).operation.audit).toEqual({
    to: "stdout",
    key: LATCHKEY_AUDIT_KEY,
    person: "hash",
  });
  expect(read({})).toMatchObject({
    operation: { audit: undefined },
    faults: [
      {
        variable: "LATCHKEY_AUDIT_KEY",
        remedy: expect.stringContaining("leave LATCHKEY_AUDIT out"),
      },
    ],
  });
  const wrong = read({ LATCHKEY_AUDIT_KEY, LATCHKEY_AUDIT_PERSON: "email" });
  expect(wrong.faults).toMatchObject([{ variable: "LATCHKEY_AUDIT_PERSON" }]);
});
