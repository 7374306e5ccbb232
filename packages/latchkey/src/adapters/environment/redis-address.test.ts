import { expect, test } from "vitest";

import { parseRedisAddress } from "./redis-address.ts";

test.each([
  ["redis://localhost", {}],
  ["rediss://localhost:1/2", { hosts: [{ host: "localhost", port: 1 }], tls: true, database: 2 }],
  ["redis://m%65:p%40ss@localhost/", { username: "me", password: "p@ss" }],
  ["redis://:pass@[::1]:7", { password: "pass", hosts: [{ host: "::1", port: 7 }] }],
  ["redis+sentinel://a", { kind: "sentinel", hosts: [{ host: "a", port: 26_379 }] }],
  [
    "redis+cluster://:pass@a:1,b:2",
    {
      kind: "cluster",
      password: "pass",
      hosts: [
        { host: "a", port: 1 },
        { host: "b", port: 2 },
      ],
    },
  ],
  [
    "rediss+sentinel://a,b:2/sessions",
    {
      kind: "sentinel",
      tls: true,
      name: "sessions",
      hosts: [
        { host: "a", port: 26_379 },
        { host: "b", port: 2 },
      ],
    },
  ],
])("%s is read", (address, expected) => {
  expect(parseRedisAddress(address)).toEqual({
    kind: "single",
    hosts: [{ host: "localhost", port: 6379 }],
    name: "mymaster",
    tls: false,
    ...expected,
  });
});

test.each([
  "redis://",
  "redis://user:canary@[",
  "redis://user:canary@a b",
  "redis://localhost/canary",
  "redis://localhost/1canary",
  "redis://localhost/canary1",
  "redis://localhost:canary",
  "redis://localhost:123456",
  "redis://localhost/1/canary",
  "xredis://canary",
  "redis+other://canary",
  "http://canary",
])("%s is refused, and nothing of it is repeated", (address) => {
  expect(() => parseRedisAddress(address)).toThrow(TypeError);
  expect(() => parseRedisAddress(address)).not.toThrow("canary");
});
