import { authenticatedAPI } from "./authenticated-api.ts";
import { authenticatedPage } from "./authenticated-page.ts";
import type { Case } from "./case.ts";
import { clientBytes } from "./client-bytes.ts";
import { endedMarks } from "./ended-marks.ts";
import { firstSight } from "./first-sight.ts";
import { installedSize } from "./installed-size.ts";
import { login } from "./login.ts";
import { me } from "./me.ts";
import { memory } from "./memory.ts";
import { sealing } from "./sealing.ts";
import { secrets } from "./secrets.ts";
import { sessionSize } from "./session-size.ts";
import { signIn } from "./sign-in.ts";
import { startUp } from "./start-up.ts";
import { unauthenticatedAPI } from "./unauthenticated-api.ts";
import { unauthenticatedPage } from "./unauthenticated-page.ts";

/** Every case, in the order of the table. */
export const cases: readonly Case[] = [
  authenticatedAPI,
  me,
  firstSight,
  authenticatedPage,
  unauthenticatedAPI,
  unauthenticatedPage,
  login,
  signIn,
  secrets,
  endedMarks,
  sessionSize,
  sealing,
  startUp,
  memory,
  installedSize,
  clientBytes,
];
