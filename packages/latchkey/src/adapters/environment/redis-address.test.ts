import { expect, test } from "vitest";

import { parseRedisAddress } from "./redis-address.ts";

const local = { host: "localhost", port: 6379 };

test.each([
  ["redis://localhost", { kind: "single", hosts: [local], tls: false }],
  ["rediss://localhost:1/2", { hosts: [{ host: "localhost", port: 1 }], tls: true, database: 2 }],
  ["redis://me:p%40ss@localhost/", { username: "me", password: "p@ss", hosts: [local] }],
  ["redis://:pass@[::1]:7", { password: "pass", hosts: [{ host: "::1", port: 7 }] }],
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
  expect(parseRedisAddress(address)).toMatchObject(expected);
});

test.each([
  "redis://",
  "redis://user:canary@[",
  "redis://user:canary@a b",
  "redis://localhost/canary",
  "redis+other://canary",
  "http://canary",
])("%s is refused, and nothing of it is repeated", (address) => {
  expect(() => parseRedisAddress(address)).toThrow(TypeError);
  expect(() => parseRedisAddress(address)).not.toThrow("canary");
});
