import { describe, expect, test } from "vitest";

import { configOf } from "../../test/settings.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { createContext } from "../host/create-context.ts";
import { checkSize } from "./session-size.ts";

const data = {
  user: { sub: "ada", groups: "g".repeat(500), picture: "p".repeat(50) },
  accessToken: "a".repeat(100),
  note: undefined,
};

/** What becomes of a session whose one cookie has so many bytes, if 10,000 are allowed. */
function checked(bytes: number) {
  const events: LogEvent[] = [];
  const config = configOf({ session: { maxCookieBytes: 10_000 } });
  const log = (event: LogEvent) => void events.push(event);
  const context = createContext(config, { store: null, log });
  // The start has warned of these settings.
  events.length = 0;
  const check = () => checkSize(context, [`s=${"x".repeat(bytes - 4)}; Path=/`], data);
  return { check, events };
}

describe("a session whose cookies", () => {
  test("fit through common proxies is not logged", () => {
    const { check, events } = checked(8192);
    check();
    expect(events).toEqual([]);
  });

  test("do not is logged, with the names and sizes of its three largest parts", () => {
    const { check, events } = checked(8193);
    check();
    const largest = "user.groups 502, accessToken 102, user.picture 52";
    expect(events).toEqual([{ event: "session-large", bytes: 8193, largest }]);
  });

  test("may be as large as the settings allow, and no larger", () => {
    const { check, events } = checked(10_000);
    check();
    expect(events).toHaveLength(1);
    expect(checked(10_001).check).toThrow(
      expect.objectContaining({
        reason: "session_too_large",
        largestParts: ["user.groups", "accessToken", "user.picture"],
      }),
    );
  });
});
