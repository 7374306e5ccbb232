import type { EndReason, Session } from "latchkey";

import { accountView } from "../pages/account/account-data.ts";
import { accountPage } from "../pages/account/account-screen.tsx";
import { detailsPage } from "../pages/account/details/details-screen.tsx";
import { welcomePage } from "../pages/home/welcome-screen.tsx";
import { samplePage } from "../pages/sample/sample-screen.tsx";
import type { LaterChange, GalleryState } from "./gallery-state.ts";
import { deviceStates } from "./device-states.ts";
import {
  ada,
  astronaut,
  bothWays,
  endingIn,
  endless,
  galleryNow,
  layla,
  longNamed,
  manyClaims,
  markup,
  nobodySpecial,
  withPicture,
  shortAddress,
} from "./people.ts";

/** Every page for signed-in people, in every state. */
export function liveStates(origin: string): readonly GalleryState[] {
  return [
    ...welcomeStates(),
    ...accountStates(),
    ...oddPeople(origin),
    ...accessStates(),
    ...otherPages(),
    ...deviceStates(),
    ...warningStates(),
    ...endedStates(),
  ];
}

function welcomeStates(): GalleryState[] {
  const people = { usual: ada, long: longNamed, endless, rtl: layla, nameless: nobodySpecial };
  return Object.entries(people).map(([name, session]) => ({
    id: `welcome-${name}`,
    title: `Home, signed in: ${name}`,
    page: welcomePage(session),
  }));
}

function accountState(
  name: string,
  session: Session,
  extra: { limitedTo?: string; after?: LaterChange } = {},
): GalleryState {
  const { limitedTo, after } = extra;
  return {
    id: `account-${name}`,
    title: `Account: ${name}`,
    page: accountPage(accountView(session, galleryNow, limitedTo), session),
    ...(after === undefined ? {} : { after }),
  };
}

function accountStates(): GalleryState[] {
  const updatedAt = galleryNow - 60;
  const short = { updatedAt, rollingEndsAt: updatedAt + 900, endsAt: updatedAt + 900 };
  const shared = { ...ada, times: { ...ada.times, ...short, shared: true as const } };
  const noEnd = { ...ada, times: { ...ada.times, absoluteEndsAt: null } };
  return [
    accountState("usual", ada),
    accountState("shared", shared),
    accountState("limited", ada, { limitedTo: "org_harbour" }),
    accountState("bare", nobodySpecial),
    accountState("long", longNamed),
    accountState("endless", endless),
    accountState("rtl-name", layla),
    accountState("one-end", endingIn(4 * 86_400, "only-absolute")),
    accountState("no-last-end", noEnd),
  ];
}

function oddPeople(origin: string): GalleryState[] {
  return [
    accountState("emoji", astronaut),
    accountState("markup", markup),
    accountState("both-ways", bothWays),
    accountState("short-address", shortAddress),
    accountState("picture", withPicture(`${origin}/favicon.svg`)),
    accountState("broken-picture", withPicture(`${origin}/_auth/gallery/no-such-picture.png`)),
    accountState("forbidden-picture", withPicture("https://not-allowed.example.net/ada.png")),
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
    { id: "details", title: "All details", page: detailsPage(ada) },
    { id: "details-many", title: "All details: many", page: detailsPage(manyClaims) },
    { id: "details-long", title: "All details: long values", page: detailsPage(longNamed) },
    {
      id: "sample",
      title: "Sample page",
      page: samplePage({ address: "/sample", query: [] }, ada),
    },
    {
      id: "sample-query",
      title: "Sample page: with a query",
      page: samplePage({ address: "/sample?report=march&sort=name%2C%20then%20date", query }, ada),
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
  const reasons: readonly EndReason[] = ["idle", "max-age", "elsewhere", "unreadable", "unproved"];
  return [
    ...reasons.map((reason) =>
      accountState(`ended-${reason}`, ada, { after: { kind: "ended", reason } }),
    ),
    accountState("signed-out-elsewhere", ada, { after: { kind: "signed-out" } }),
    accountState("other-person", ada, { after: { kind: "other-person" } }),
  ];
}
