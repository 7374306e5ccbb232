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

const [noRedis, noDatabase, noHost] = [
  "is not the address of a Redis",
  "names no database of a Redis",
  "names a host that cannot be read",
];
test.each([
  ["redis://", noRedis],
  ["redis://localhost/1/canary", noRedis],
  ["xredis://canary", noRedis],
  ["redis+other://canary", noRedis],
  ["http://canary", noRedis],
  ["redis://localhost/canary", noDatabase],
  ["redis://localhost/1canary", noDatabase],
  ["redis://localhost/canary1", noDatabase],
  ["redis://user:canary@[", noHost],
  ["redis://user:canary@a b", noHost],
  ["redis://[::1]canary", noHost],
  ["redis://localhost:canary", noHost],
  ["redis://localhost:123456", noHost],
])("%s is refused, and nothing of it is repeated: it %s", (address, message) => {
  expect(() => parseRedisAddress(address)).toThrow(new TypeError(message));
});
