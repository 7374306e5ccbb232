import type { SessionTimes } from "latchkey";

import { durationInWords } from "../messages/durations.ts";
import { usePageFrame } from "./page-frame.tsx";

/** When a sign-in on a shared computer ends; nothing for any other. */
export function OnSharedComputer({ times }: { times: SessionTimes }) {
  const { locale, text } = usePageFrame().words;
  const { rollingEndsAt, shared, updatedAt } = times;
  if (shared !== true) return null;
  const length = durationInWords((rollingEndsAt ?? updatedAt) - updatedAt, locale);
  return <p>{text("session.shared", { length })}</p>;
}
