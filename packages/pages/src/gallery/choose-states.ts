import type { SignInChoice } from "latchkey";

import { choosePage } from "../pages/choose/choose-screen.tsx";
import type { GalleryState } from "./gallery-state.ts";

type Way = SignInChoice["ways"][number];

const labels = ["Google", "Acme", "Microsoft", "GitHub", "Beta Corporation", "Orchard"];

function waysOf(count: number, changes: Readonly<Record<number, Partial<Way>>> = {}): Way[] {
  return Array.from({ length: count }, (_, place) => ({
    id: `way-${place}`,
    label: labels[place] ?? `Customer ${place}`,
    isSuggested: place === 0,
    ...changes[place],
  }));
}

const common: Omit<SignInChoice, "ways"> = {
  isAsked: false,
  isShared: false,
  action: "/_auth/sign-in",
  fields: [["returnTo", "/account"]],
  homeURL: "/",
};

const choices: Readonly<Record<string, Partial<SignInChoice> & Pick<SignInChoice, "ways">>> = {
  first: { ways: waysOf(3) },
  "asked-for-page": { ways: waysOf(2), isAsked: true },
  "used-last": { ways: waysOf(3, { 0: { note: "used" } }) },
  many: { ways: waysOf(6), isShared: true },
  email: { ways: waysOf(2), email: { isFirst: false, value: "" } },
  "email-first": { ways: waysOf(2), email: { isFirst: true, value: "" } },
  "email-only": { ways: waysOf(13), email: { isFirst: true, value: "" } },
  "email-unknown": {
    ways: waysOf(2),
    email: { isFirst: true, value: "ada@orchad.example", fault: "unknown" },
  },
  "email-malformed": {
    ways: waysOf(2),
    email: { isFirst: false, value: "ada", fault: "malformed" },
  },
  cancelled: { ways: waysOf(2), notice: { kind: "cancelled" } },
  refused: {
    ways: waysOf(2, { 0: { isSuggested: false }, 1: { isSuggested: true } }),
    notice: { kind: "refused", label: "Google" },
  },
  down: {
    ways: waysOf(3, { 0: { isSuggested: false, note: "down" }, 1: { isSuggested: true } }),
  },
  "all-down": {
    ways: waysOf(2, { 0: { note: "down" }, 1: { note: "down" } }),
    notice: { kind: "down" },
  },
  ended: { ways: waysOf(2), notice: { kind: "ended", label: "Google" }, isAsked: true },
  removed: { ways: waysOf(2), notice: { kind: "removed", label: "Orchard" } },
  "removed-unnamed": { ways: waysOf(2), notice: { kind: "removed" } },
  elsewhere: { ways: waysOf(1), notice: { kind: "elsewhere", label: "Google" } },
  "elsewhere-several": { ways: waysOf(2), notice: { kind: "elsewhere" } },
};

/** The page with the ways to sign in. */
export function chooseStates(): GalleryState[] {
  return Object.entries(choices).map(([name, choice]) => ({
    id: `choose-${name}`,
    title: `Ways to sign in: ${name}`,
    page: choosePage({ ...common, ...choice }),
    hasSeveralWays: true,
  }));
}
