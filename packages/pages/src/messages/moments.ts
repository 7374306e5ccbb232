import { keepLatest } from "./keep-latest.ts";

/** The four ways of naming a moment, each with `{time}`, the last with `{date}` too. */
export interface MomentPhrases {
  readonly today: string;
  readonly tomorrow: string;
  readonly yesterday: string;
  readonly date: string;
}

/**
 * The precision of a moment: the clock alone, the date alone, day and clock, the same with an
 * abbreviated date, or the whole date, clock and time zone.
 */
export type MomentStyle = "clock" | "date" | "day" | "short" | "zone";

/** The reader of a moment, and the reader's zone. */
export interface MomentFrame {
  readonly locale: string;
  /** Time zone name; absent for the zone of this machine. */
  readonly zone?: string | undefined;
  /** Epoch seconds. */
  readonly now: number;
  readonly phrases: MomentPhrases;
}

/** Whether a value is a time in the range of dates (ECMA-262, 21.4.1.1), in epoch seconds. */
export function isMoment(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 8.64e12;
}

const secondsPerDay = 86_400;
const secondsPerWeek = 7 * secondsPerDay;

/**
 * A moment in words, e.g. `today at 18:40` or `Tuesday 26 May at 09:12`. Pure, and small: it also
 * runs in the browser before the first paint, to turn the server's times into local ones.
 *
 * @param at epoch seconds
 */
export function momentInWords(at: number, style: MomentStyle, frame: MomentFrame): string {
  if (style === "date") return calendar(at, style, frame);
  const time = clock(at, style, frame);
  if (style === "clock") return time;
  const phrase = frame.phrases[style === "zone" ? "date" : nearness(at, frame)];
  return phrase.replace("{time}", time).replace("{date}", () => calendar(at, style, frame));
}

function clock(at: number, style: MomentStyle, { locale, zone }: MomentFrame): string {
  const time = clockAtMinute(Math.floor(at / 60), locale, zone);
  const isLocal = style !== "zone" && zone === undefined;
  return isLocal ? time : `${time} ${zoneName(at, zone)}`;
}

/** One name for the zone, in every language and browser: the distance from UTC. */
function zoneName(at: number, zone: string | undefined): string {
  if (zone === "UTC") return zone;
  return dayAndZone(zone)
    .format(at * 1000)
    .replace(/.*GMT(\+0$)?/, "UTC");
}

/** Parsed by this module, shown to no user: `5/18/2026, GMT+2`. */
const dayAndZone = keepLatest(
  (timeZone: string | undefined) =>
    new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" }),
);

/** Sessions in use in the same minute end in the same one. */
const clockAtMinute = keepLatest((minute: number, locale: string, timeZone: string | undefined) =>
  clockFormat(locale, timeZone).format(minute * 60_000),
);

const clockFormat = keepLatest(
  (locale: string, timeZone: string | undefined) =>
    new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone }),
);

function calendar(at: number, style: MomentStyle, { locale, zone, now }: MomentFrame): string {
  const weeks = Math.abs(at - now) / secondsPerWeek;
  const length = style === "short" ? "short" : "long";
  const hasWeekday = weeks < 4 && style !== "zone" && style !== "date";
  const hasYear = weeks >= 40 || style === "zone";
  return dateFormat(locale, zone, length, hasWeekday, hasYear).format(at * 1000);
}

const dateFormat = keepLatest(
  (
    locale: string,
    timeZone: string | undefined,
    length: "short" | "long",
    hasWeekday: boolean,
    hasYear: boolean,
  ) =>
    new Intl.DateTimeFormat(locale, {
      weekday: hasWeekday ? length : undefined,
      day: "numeric",
      month: length,
      year: hasYear ? "numeric" : undefined,
      timeZone,
    }),
);

function nearness(at: number, frame: MomentFrame): keyof MomentPhrases {
  const day = dayOf(at, frame);
  if (day === dayOf(frame.now, frame)) return "today";
  if (day === dayOf(frame.now + secondsPerDay, frame)) return "tomorrow";
  if (day === dayOf(frame.now - secondsPerDay, frame)) return "yesterday";
  return "date";
}

function dayOf(at: number, { zone }: MomentFrame): string | number | undefined {
  if (zone === "UTC") return Math.floor(at / secondsPerDay);
  return dayAndZone(zone)
    .format(at * 1000)
    .split(",")[0];
}
