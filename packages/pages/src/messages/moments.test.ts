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

test("near days are called today, tomorrow and yesterday, in the zone of the reader", () => {
  expect(say(now + hour)).toBe("today at 17:02 UTC+2");
  expect(say(now + 9 * hour)).toBe("tomorrow at 01:02 UTC+2");
  expect(say(now + 9 * hour, "day", "UTC")).toBe("today at 23:02 UTC");
  expect(say(now - 17 * hour)).toBe("yesterday at 23:02 UTC+2");
});

test("a near day has its weekday, and a far day has its year", () => {
  expect(say(now + 4 * 24 * hour)).toBe("Friday 22 May at 16:02 UTC+2");
  expect(say(now + 400 * 24 * hour)).toBe("22 June 2027 at 16:02 UTC+2");
});

test("the short style abbreviates day and month", () => {
  expect(say(now + 4 * 24 * hour, "short")).toBe("Fri 22 May at 16:02 UTC+2");
  expect(say(now + 400 * 24 * hour, "short")).toBe("22 Jun 2027 at 16:02 UTC+2");
  expect(say(now + hour, "short")).toBe("today at 17:02 UTC+2");
});

test("the style with a zone has the whole date", () => {
  expect(say(now, "zone")).toBe("18 May 2026 at 16:02 UTC+2");
});

test("the style of a clock names no zone if it is the reader's own", () => {
  const frame = { locale: "en-GB", now, phrases };
  expect(momentInWords(now, "clock", frame)).toMatch(/^\d\d:\d\d$/);
});

test("the clock follows the country of the reader", () => {
  expect(say(now, "clock", "UTC", "en-US")).toMatch(/^2:02\sPM UTC$/);
});

test.each(["ar", "fr", "ja"])("the zone has one name also in %s", (locale) => {
  expect(say(now, "zone", "UTC", locale)).toMatch(/ UTC$/);
  expect(say(now, "zone", "Europe/Berlin", locale)).toMatch(/ UTC\+2$/);
});
