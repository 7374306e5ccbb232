import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import type { LogEvent } from "../config/telemetry/log-event.ts";
import type { Measurement } from "../config/telemetry/telemetry.ts";
import { sealText } from "../crypto/key-ring.ts";
import { createSessionKeys } from "./session-keys.ts";

test("seals are counted by key, and half of what a key is good for is warned of once [OP-085]", () => {
  const events: LogEvent[] = [];
  const measured: Measurement[] = [];
  const keys = createSessionKeys({
    config: readConfig(goodSettings, { hasStore: false }),
    observer: { log: (each) => events.push(each), measure: (each) => measured.push(each) },
    clock: Date.now,
    manySeals: 3,
  });
  for (let count = 0; count < 5; count += 1) sealText(keys.ring(), {}, "a session");
  const [{ id, sealed } = { id: "", sealed: 0 }] = keys.list();
  expect(sealed).toBe(5);
  expect(measured).toEqual(Array.from({ length: 5 }, () => ({ of: "key-seal", key: id })));
  expect(events).toEqual([
    { event: "warning", message: expect.stringContaining("change LATCHKEY_SECRET") as string },
  ]);
});
