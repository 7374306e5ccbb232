import type { Config, EndReason, SessionTimes } from "latchkey";

import type { EndedProps } from "./ended-screen.tsx";
import type { HomeNotice, HomeProps } from "./home-screen.tsx";

/** What the home page shows to a visitor without a session. */
export function homeView(
  url: string,
  config: Config,
  trouble: Exclude<HomeNotice, "cancelled"> | undefined,
): HomeProps {
  const query = new URL(url).searchParams;
  const returnTo = query.get("returnTo");
  return {
    isAsked: returnTo !== null,
    signInURL: signInURL(config, returnTo),
    notice: query.get("notice") === "cancelled" ? "cancelled" : trouble,
  };
}

/** What the home page shows to a visitor whose session has ended. */
export function endedView(
  url: string,
  config: Config,
  { reason, times }: { readonly reason: EndReason; readonly times: SessionTimes | null },
): EndedProps {
  return {
    reason,
    signInURL: signInURL(config, new URL(url).searchParams.get("returnTo")),
    afterSeconds: lengthOf(reason, config, times),
  };
}

/**
 * The address that starts a sign-in. The login route checks `returnTo`; here it is only carried
 * along.
 */
function signInURL({ baseURL, routes }: Config, returnTo: string | null): string {
  const login = baseURL + routes.login;
  return returnTo === null ? login : `${login}?returnTo=${encodeURIComponent(returnTo)}`;
}

/** Returns the length of the session, if it is the reason of the end. */
function lengthOf(
  reason: EndReason,
  { session: { lifetime } }: Config,
  times: SessionTimes | null,
): number | null {
  if (reason === "max-age") {
    return times?.absoluteEndsAt ? times.absoluteEndsAt - times.createdAt : lifetime.absolute;
  }
  if (reason !== "idle") return null;
  return times?.rollingEndsAt ? times.rollingEndsAt - times.updatedAt : lifetime.rolling;
}
