import type { EndReason, ProviderSession } from "latchkey";

import { accountView } from "../pages/account/account-data.ts";
import { accountPage } from "../pages/account/account-screen.tsx";
import { detailsPage } from "../pages/account/details/details-screen.tsx";
import { devicesPage } from "../pages/devices/devices-screen.tsx";
import { endedPage } from "../pages/home/ended-screen.tsx";
import { homePage, type HomeProps } from "../pages/home/home-screen.tsx";
import { keptFormPage } from "../pages/kept-form/kept-form-screen.tsx";
import { stepUpPage } from "../pages/step-up/step-up-screen.tsx";
import { signedOutPage } from "../pages/signed-out/signed-out-screen.tsx";
import type { GalleryState } from "./gallery-state.ts";
import { chooseStates } from "./choose-states.ts";
import { liveStates } from "./live-states.ts";
import { ada, galleryNow } from "./people.ts";
import { problemStates } from "./problem-states.ts";
import { setupStates } from "./setup-states.ts";
import { severalStates } from "./several-states.ts";

const day = 86_400;
const signInURL = "/api/auth/login?returnTo=%2Faccount";

/**
 * Every screen in every state. The gallery shows this list, and the tests walk it.
 *
 * @param origin of the pictures of people
 */
export function galleryStates(origin: string): readonly GalleryState[] {
  return [
    ...homeStates(),
    ...chooseStates(),
    ...endedStates(),
    ...signedOutStates(),
    ...stepUpStates(),
    ...severalStates(),
    keptFormState(),
    ...liveStates(origin),
    ...linkedStates(),
    ...problemStates(),
    ...setupStates(),
  ];
}

/** Pages with a link to the account at the provider, whose address is known here. */
function linkedStates(): GalleryState[] {
  const pages = {
    account: accountPage(accountView(ada, galleryNow), ada),
    details: detailsPage(ada),
    devices: devicesPage({ kind: "only-here", startedAt: ada.times.startedAt }, ada),
    "signed-out": signedOutPage({ provider: "still", signInURL, homeURL: "/" }),
  };
  return Object.entries(pages).map(([name, page]) => ({
    id: `linked-${name}`,
    title: `With the address of the account at the provider: ${name}`,
    page,
    providerURL: "https://id.example.com/account",
  }));
}

function homeStates(): GalleryState[] {
  const states: Readonly<Record<string, Omit<HomeProps, "signInURL">>> = {
    arrived: { isAsked: false },
    "asked-for-page": { isAsked: true },
    cancelled: { isAsked: false, notice: "cancelled" },
    "store-down": { isAsked: false, notice: "store-down" },
    "provider-down": { isAsked: true, notice: "provider-down" },
    "several-ways": { isAsked: false },
    "several-ways-asked-for-page": { isAsked: true },
  };
  return Object.entries(states).map(([name, props]) => ({
    id: `home-${name}`,
    title: `Home, signed out: ${name}`,
    page: homePage({ ...props, signInURL }),
    hasSeveralWays: name.startsWith("several-ways"),
  }));
}

function endedStates(): GalleryState[] {
  const after: Partial<Record<EndReason, number>> = { idle: day, "max-age": 7 * day };
  const reasons: readonly EndReason[] = ["idle", "max-age", "elsewhere", "unreadable", "unproved"];
  return reasons.map((reason) => ({
    id: `ended-${reason}`,
    title: `Session ended: ${reason}`,
    page: endedPage({ reason, signInURL, afterSeconds: after[reason] }),
  }));
}

function signedOutStates(): GalleryState[] {
  const ends: readonly ProviderSession[] = ["ended", "still", "unconfirmed", "unknown"];
  const common = { signInURL, homeURL: "/", copies: "ended" } as const;
  const known = ends.map((provider) => ({
    id: `signed-out-${provider}`,
    title: `Signed out, provider: ${provider}`,
    page: signedOutPage({ ...common, provider }),
  }));
  const copiesEndBy = galleryNow + 604_800;
  return [
    ...known,
    {
      id: "signed-out-all-devices",
      title: "Signed out on all devices",
      page: signedOutPage({ ...common, provider: "ended", otherDevices: 2 }),
    },
    {
      id: "signed-out-pending",
      title: "Signed out while the store was down",
      page: signedOutPage({ ...common, provider: "ended", copies: "pending", copiesEndBy }),
    },
    {
      id: "signed-out-without-store",
      title: "Signed out without a store",
      page: signedOutPage({ ...common, provider: "still", copies: "expiring", copiesEndBy }),
    },
  ];
}

function stepUpStates(): GalleryState[] {
  const second = { signInURL, hasForm: false };
  return [
    { id: "step-up", title: "Before a second step", page: stepUpPage(second) },
    {
      id: "step-up-form",
      title: "Before a new sign-in, with a form",
      page: stepUpPage({ signInURL, hasForm: true, maxAge: 300 }),
    },
    {
      id: "step-up-done",
      title: "After a second step",
      page: { ...accountPage(accountView(ada, galleryNow), ada), hasSteppedUp: true },
    },
  ];
}

function keptFormState(): GalleryState {
  const fields = [["amount", "5"]] as const;
  return {
    id: "kept-form",
    title: "A form that has waited for a better sign-in",
    page: keptFormPage({ action: "/", fields, homeURL: "/" }),
  };
}
