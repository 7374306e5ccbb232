import type { WatchedSession } from "latchkey/react";

import { timelineOf } from "../components/timeline/timeline-scale.ts";
import { momentsChanged } from "./inline/local-times.ts";

/**
 * Shows the known state of the session: its ends, the time until them, and since when the server
 * does not respond.
 */
export function showSession(page: Document, { times, now, staleSince }: WatchedSession): void {
  const ends: Readonly<Record<string, number | null>> = {
    rolling: times.rollingEndsAt,
    absolute: times.absoluteEndsAt,
    any: times.endsAt,
  };
  let isChanged = false;
  for (const moment of page.querySelectorAll<HTMLTimeElement>("time[data-end]")) {
    const at = ends[moment.dataset["end"] ?? ""];
    if (at == null || Date.parse(moment.dateTime) === at * 1000) continue;
    moment.dateTime = new Date(at * 1000).toISOString();
    isChanged = true;
  }
  const marks = timelineOf(times, now);
  for (const mark of page.querySelectorAll<SVGElement>("[data-mark]")) {
    const place = marks.find(({ kind }) => kind === mark.dataset["mark"]);
    if (place !== undefined) mark.setAttribute(mark.tagName === "line" ? "x2" : "cx", place.at);
  }
  showStale(page, staleSince);
  if (isChanged) momentsChanged(page);
}

function showStale(page: Document, freshAt: number | null): void {
  const note = page.querySelector<HTMLElement>("[data-stale]");
  const moment = note?.querySelector("time");
  const isFresh = freshAt === null;
  if (!note || !moment || note.hidden === isFresh) return;
  note.hidden = isFresh;
  moment.dateTime = new Date((freshAt ?? 0) * 1000).toISOString();
  momentsChanged(page);
}
