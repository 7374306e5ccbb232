import { expect, test } from "vitest";

import { configOf } from "../../test/settings.ts";
import type { Settings } from "../config/settings.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import type { Measurement } from "../telemetry/telemetry.ts";
import { openText, sealText } from "../crypto/jwe.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import { inForce } from "../crypto/in-force.ts";
import { createSessionKeys } from "./session-keys.ts";

const start = 1_800_000_000;
const [oldSecret, newSecret] = ["old-".repeat(8), "new-".repeat(8)];
const sealedBy = (secret: string) => sealText(deriveKeyRing([secret], "session"), {}, "a session");
const idOf = (secret: string) => deriveKeyRing([secret], "session").current.id;

/** The keys of an app whose secrets may be exchanged. */
function world(session: Settings["session"] = {}, manySeals?: number) {
  let now = start;
  const events: LogEvent[] = [];
  const measured: Measurement[] = [];
  const secrets = inForce([newSecret, oldSecret]);
  const keys = createSessionKeys({
    secrets,
    lifetime: configOf({ session }).session.lifetime,
    observer: { log: (it) => void events.push(it), measure: (it) => void measured.push(it) },
    clock: () => now * 1000 + 999,
    ...(manySeals === undefined ? {} : { manySeals }),
  });
  return { secrets, keys, events, measured, advance: (seconds: number) => void (now += seconds) };
}

test("seals are counted by key, and half of what a key is good for is warned of once [OP-085]", () => {
  const { keys, measured, events } = world({}, 3);
  for (let count = 0; count < 5; count += 1) sealText(keys.plain(), {}, "a session");
  const id = idOf(newSecret);
  expect(keys.list().map(({ sealed }) => sealed)).toEqual([5, 0]);
  expect(measured).toEqual(Array.from({ length: 5 }, () => ({ of: "key-seal", key: id })));
  expect(events).toEqual([
    {
      event: "warning",
      message: expect.stringMatching(`^The key ${id} .* change LATCHKEY_SECRET`) as string,
    },
  ]);
});

test("a key shows whether it seals, and when it last opened a session", () => {
  const { keys, measured, advance } = world();
  for (const secret of [oldSecret, newSecret, oldSecret]) {
    openText(keys.plain(), sealedBy(secret));
    advance(60);
  }
  expect(keys.list()).toEqual([
    { id: idOf(newSecret), seals: true, lastOpened: start + 60, sealed: 0 },
    { id: idOf(oldSecret), seals: false, lastOpened: start + 120, sealed: 0 },
  ]);
  const positions = measured.map((each) => ("position" in each ? each.position : ""));
  expect(positions).toEqual(["other", "first", "other"]);
});

test.each<[string, Settings["session"], number, boolean]>([
  ["within the idle time", {}, 86_400, true],
  ["before that", {}, 86_401, false],
  ["within the life of a session that does not roll", { rolling: false }, 604_800, true],
  ["before that", { rolling: false }, 604_801, false],
])(
  "a removed key causes a warning if it opened a session lately: %s [OP-083]",
  (_, session, seconds, isWarnedOf) => {
    const { secrets, keys, events, advance } = world(session);
    openText(keys.plain(), sealedBy(oldSecret));
    advance(seconds);
    secrets.replace([newSecret]);
    keys.plain();
    const message = expect.stringMatching(`key ${idOf(oldSecret)} .* signed out`) as string;
    expect(events).toEqual(isWarnedOf ? [{ event: "warning", message }] : []);
  },
);

test("a key in force, or one without use, is not warned of", () => {
  const { secrets, keys, events } = world();
  openText(keys.plain(), sealedBy(newSecret));
  secrets.replace(["third-".repeat(8), newSecret]);
  keys.plain();
  expect(events).toEqual([]);
});
