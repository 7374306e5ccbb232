import type { Config, EndReason } from "latchkey";

import type { ProviderEnd } from "../signed-out/signed-out-screen.tsx";
import type { HomeNotice } from "./home-screen.tsx";
import type { PlainView } from "../../rendering/plain-view.tsx";
import type { AppParts } from "../../start/routes.ts";

/** What the home page shows to a visitor who is not signed in. */
export function homeView(
  request: Request,
  ended: EndReason | undefined,
  parts: AppParts,
): PlainView {
  const { config } = parts.auth;
  const asked = new URL(request.url).searchParams;
  const signInURL = signInURLTo(config, asked.get("returnTo"));
  if (ended === undefined) {
    const notice = noticeFor(asked, parts.isProviderDown());
    const isAsked = asked.has("returnTo");
    return {
      screen: "home",
      props: { isAsked, signInURL, ...(notice === undefined ? {} : { notice }) },
    };
  }
  const afterSeconds = lengthOf(ended, config);
  const length = afterSeconds === null ? {} : { afterSeconds };
  return { screen: "ended", props: { reason: ended, signInURL, ...length } };
}

function noticeFor(asked: URLSearchParams, isProviderDown: boolean): HomeNotice | undefined {
  if (asked.get("notice") === "cancelled") return "cancelled";
  return isProviderDown ? "provider-down" : undefined;
}

/** How long the session was to last that has ended for this reason, where that is the reason. */
function lengthOf(reason: EndReason, { session: { lifetime } }: Config): number | null {
  if (reason === "idle") return lifetime.rolling;
  return reason === "max-age" ? lifetime.absolute : null;
}

/** What the signed-out page says. */
export function signedOutView(provider: ProviderEnd, config: Config): PlainView {
  return { screen: "signed-out", props: { provider, signInURL: signInURLTo(config, null) } };
}

/** The login route checks the destination; here it is only carried along. */
function signInURLTo({ baseURL, routes }: Config, returnTo: string | null): string {
  const login = baseURL + routes.login;
  return returnTo === null ? login : `${login}?returnTo=${encodeURIComponent(returnTo)}`;
}
