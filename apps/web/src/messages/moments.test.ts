import { expect, test } from "vitest";

import { momentInWords, type MomentStyle } from "./moments.ts";

const now = Date.UTC(2026, 4, 18, 14, 2) / 1000;
const hour = 3600;
const phrases = {
  today: "today at {time}",
  tomorrow: "tomorrow at {time}",
  yesterday: "yesterday at {time}",
  date: "{date} at {time}",
};

function say(at: number, style: MomentStyle = "day", zone = "Europe/Berlin", locale = "en-GB") {
  return momentInWords(at, style, { locale, zone, now, phrases });
}

test("says today, tomorrow and yesterday, in the zone of the reader", () => {
  expect(say(now + hour)).toBe("today at 17:02 CEST");
  expect(say(now + 9 * hour)).toBe("tomorrow at 01:02 CEST");
  expect(say(now + 9 * hour, "day", "UTC")).toBe("today at 23:02 UTC");
  expect(say(now - 17 * hour)).toBe("yesterday at 23:02 CEST");
});

test("names the day of the week where it is near, and the year where it is far", () => {
  expect(say(now + 4 * 24 * hour)).toBe("Friday 22 May at 16:02 CEST");
  expect(say(now + 400 * 24 * hour)).toBe("22 June 2027 at 16:02 CEST");
});

test("says the whole date with its zone where it has to hold for ever", () => {
  expect(say(now, "zone")).toBe("18 May 2026 at 16:02 CEST");
});

test("says the clock alone, without a zone that is the reader's own", () => {
  const frame = { locale: "en-GB", now, phrases };
  expect(momentInWords(now, "clock", frame)).toMatch(/^\d\d:02$/);
});

test("says the clock as the reader's country does", () => {
  expect(say(now, "clock", "UTC", "en-US")).toMatch(/^02:02\sPM UTC$/);
});
