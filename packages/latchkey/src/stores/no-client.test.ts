import { expect, test } from "vitest";

import { postgresStore } from "./postgres.ts";
import { redisStore } from "./redis.ts";

test.each(["redis://localhost", undefined, {}])("%j is no client of a store", (given) => {
  for (const store of [redisStore, postgresStore]) {
    const call = store as (client: unknown) => unknown;
    expect(() => call(given)).toThrow("openStore() of latchkey/node takes an address");
  }
});
