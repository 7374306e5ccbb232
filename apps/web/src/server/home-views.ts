import type { Config, EndReason, Visit } from "latchkey";

import type { ProviderEnd } from "../screens/signed-out/signed-out-screen.tsx";
import type { HomeReason } from "../screens/home/home-screen.tsx";
import type { View } from "../screens/view.tsx";
import { personOf } from "./account-view.ts";
import type { AppParts } from "./app.ts";

/** What the home page shows to this visitor. */
export function homeView(request: Request, visit: Visit, parts: AppParts): View {
  const { config } = parts.auth;
  if (visit.session !== null) return { screen: "welcome", person: personOf(visit.session) };
  const asked = new URL(request.url).searchParams;
  const signInURL = signInURLTo(config, asked.get("returnTo"));
  if (visit.ended !== undefined) {
    const afterSeconds = lengthOf(visit.ended, config);
    const length = afterSeconds === null ? {} : { afterSeconds };
    return { screen: "ended", props: { reason: visit.ended, signInURL, ...length } };
  }
  const reason = homeReason(asked, parts.isProviderDown());
  return { screen: "home", props: { reason, signInURL } };
}

function homeReason(asked: URLSearchParams, isProviderDown: boolean): HomeReason {
  if (asked.get("notice") === "cancelled") return "cancelled";
  if (isProviderDown) return "provider-down";
  return asked.has("returnTo") ? "asked-for-page" : "arrived";
}

/** How long the session was to last that has ended for this reason, where that is the reason. */
function lengthOf(reason: EndReason, { session: { lifetime } }: Config): number | null {
  if (reason === "idle") return lifetime.rolling;
  return reason === "max-age" ? lifetime.absolute : null;
}

/** What the signed-out page says. Coming back from the provider's end-session endpoint tells that it is ended. */
export function signedOutView(request: Request, config: Config): View {
  const asked = new URL(request.url).searchParams;
  return {
    screen: "signed-out",
    props: { provider: providerEnd(asked), signInURL: signInURLTo(config, null) },
  };
}

function providerEnd(asked: URLSearchParams): ProviderEnd {
  switch (asked.get("provider")) {
    case "still":
      return "still";
    case "unconfirmed":
      return "unconfirmed";
    case "ended":
      return "ended";
    default:
      return asked.has("state") ? "ended" : "unknown";
  }
}

/** The login route checks the destination; here it is only carried along. */
function signInURLTo({ baseURL, routes }: Config, returnTo: string | null): string {
  const login = baseURL + routes.login;
  return returnTo === null ? login : `${login}?returnTo=${encodeURIComponent(returnTo)}`;
}
