import type { EndReason, Session } from "latchkey";

import { accountView, nameOf } from "../pages/account/account-data.ts";
import type { Aftermath, GalleryState } from "./gallery-state.ts";
import { deviceStates } from "./device-states.ts";
import { ada, endingIn, galleryNow, layla, longNamed, nobodySpecial } from "./people.ts";

/** Every page for signed-in people, in every state. */
export function liveStates(): readonly GalleryState[] {
  return [
    ...welcomeStates(),
    ...accountStates(),
    ...accessStates(),
    ...otherPages(),
    ...deviceStates(),
    ...warningStates(),
    ...endedStates(),
  ];
}

function welcomeStates(): GalleryState[] {
  const people = { usual: ada, long: longNamed, rtl: layla };
  return Object.entries(people).map(([name, session]) => ({
    id: `welcome-${name}`,
    title: `Home, signed in: ${name}`,
    live: { screen: "welcome", name: nameOf(session) },
    session,
  }));
}

function accountState(
  name: string,
  session: Session,
  extra: { limitedTo?: string; after?: Aftermath } = {},
): GalleryState {
  const { limitedTo, after } = extra;
  return {
    id: `account-${name}`,
    title: `Account: ${name}`,
    live: { screen: "account", view: accountView(session, galleryNow, limitedTo) },
    session,
    ...(after === undefined ? {} : { after }),
  };
}

function accountStates(): GalleryState[] {
  const noEnd = { ...ada, times: { ...ada.times, absoluteEndsAt: null } };
  return [
    accountState("usual", ada),
    accountState("limited", ada, { limitedTo: "org_harbour" }),
    accountState("bare", nobodySpecial),
    accountState("long", longNamed),
    accountState("rtl-name", layla),
    accountState("one-end", endingIn(4 * 86_400, "only-absolute")),
    accountState("no-last-end", noEnd),
  ];
}

function accessStates(): GalleryState[] {
  const { refreshToken: _none, ...single } = ada;
  const { accessTokenExpiresAt: _never, ...lasting } = ada;
  const past = galleryNow - 60;
  return [
    accountState("access-until", single),
    accountState("access-connected", lasting),
    accountState("access-will-renew", { ...ada, accessTokenExpiresAt: past }),
    accountState("access-ended", { ...single, accessTokenExpiresAt: past }),
  ];
}

function otherPages(): GalleryState[] {
  const query = [
    ["report", "march"],
    ["sort", "name, then date"],
  ] as const;
  return [
    {
      id: "sample",
      title: "Sample page",
      live: { screen: "sample", sample: { address: "/sample", query: [] } },
      session: ada,
    },
    {
      id: "sample-query",
      title: "Sample page: with a query",
      live: {
        screen: "sample",
        sample: { address: "/sample?report=march&sort=name%2C%20then%20date", query },
      },
      session: ada,
    },
  ];
}

function warningStates(): GalleryState[] {
  return [
    accountState("warning-idle", endingIn(119, "idle")),
    accountState("warning-last-minute", endingIn(40, "idle")),
    accountState("warning-absolute", endingIn(590, "absolute")),
    accountState("offline", ada, { after: { kind: "offline" } }),
    accountState("stale", ada, { after: { kind: "stale" } }),
  ];
}

function endedStates(): GalleryState[] {
  const reasons: readonly EndReason[] = ["idle", "max-age", "elsewhere", "unreadable", "refused"];
  return [
    ...reasons.map((reason) =>
      accountState(`ended-${reason}`, ada, { after: { kind: "ended", reason } }),
    ),
    accountState("signed-out-elsewhere", ada, { after: { kind: "signed-out" } }),
    accountState("other-person", ada, { after: { kind: "other-person" } }),
  ];
}
