import { expect, test } from "vitest";

import type { LogEvent, SignOutReason } from "../telemetry/log-event.ts";
import { activityOfEvent } from "./activity-of-event.ts";

const ended = (reason: SignOutReason, more: object = {}): LogEvent => ({
  event: "sign-out",
  reason,
  sub: "ada",
  session: "one",
  ...more,
});
const told = (kind: string, more: object = {}) => ({
  kind,
  sub: "ada",
  sessions: ["one"],
  ...more,
});

test.each<[LogEvent, object | null]>([
  [ended("logout"), told("signed-out")],
  [ended("device", { cause: "other" }), told("signed-out-elsewhere", { by: "other" })],
  [ended("device", { cause: "one" }), told("signed-out")],
  [ended("others", { cause: "one" }), told("signed-out-others")],
  [ended("all", { session: undefined }), told("signed-out-everywhere", { sessions: [] })],
  [ended("backchannel", { sid: "sid" }), told("signed-out-by-provider", { sid: "sid" })],
  [ended("operator"), told("signed-out-by-operator")],
  [ended("ended"), told("signed-out-by-app")],
  [ended("unproved"), told("signed-out-unproved")],
  [ended("max-age"), told("expired")],
  [ended("replaced"), null],
  [ended("logout", { sub: undefined }), null],
  [
    { event: "refresh", outcome: "refused", sub: "ada", session: "one", durationMs: 1 },
    told("refresh-refused"),
  ],
  [{ event: "refresh", outcome: "renewed", sub: "ada", session: "one", durationMs: 1 }, null],
  [{ event: "token-revocation", token: "refresh", outcome: "refused", tries: 1 }, null],
])("the activity of a user shows the event %j as %j", (event, expected) => {
  expect(activityOfEvent(event)).toEqual(expected);
});
