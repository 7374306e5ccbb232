import { generateCookie, getCookie } from "hono/cookie";

import type { PageContext, PageDeps } from "../page-deps.ts";
import type { FlashMessage } from "./devices-view.ts";

/** Carries what was done from the form to the list. */
const cookieName = "devices_flash";
const lifetimeSeconds = 60;

/** What was done, to which device or to how many. */
export interface FlashFacts {
  readonly done: FlashMessage["done"];
  readonly id?: string | undefined;
  readonly count?: number | undefined;
  readonly lateUntil?: number | undefined;
  /** Whether the user did not know the sign-in. */
  readonly isUnknown?: boolean | undefined;
}

const known: readonly FlashMessage["done"][] = [
  "ended",
  "renamed",
  "name-too-long",
  "gone",
  "failed",
];

/** A `Set-Cookie` value by which the list will say what was done. */
export function setFlashMessage(deps: PageDeps, facts: FlashFacts): string {
  const fields = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return cookie(deps, new URLSearchParams(fields).toString(), lifetimeSeconds);
}

/** Returns the last message, if no page has shown it yet. */
export function readFlashMessage(context: PageContext): FlashFacts | undefined {
  const facts = new URLSearchParams(getCookie(context, cookieName) ?? "");
  const done = known.find((each) => each === facts.get("done"));
  if (done === undefined) return undefined;
  const id = facts.get("id") ?? undefined;
  return {
    done,
    id,
    count: numberIn(facts, "count"),
    lateUntil: numberIn(facts, "lateUntil"),
    isUnknown: facts.get("isUnknown") === "true",
  };
}

function numberIn(facts: URLSearchParams, name: string): number | undefined {
  const number = Number(facts.get(name));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Returns a `Set-Cookie` value that removes the message, so that the list shows it once. */
export function clearFlashMessage(deps: PageDeps): string {
  return cookie(deps, "", 0);
}

function cookie({ config, rendering }: PageDeps, value: string, maxAge: number): string {
  return generateCookie(cookieName, value, {
    path: `${rendering.site.root}/devices`,
    httpOnly: true,
    sameSite: "Strict",
    secure: config.session.cookie.secure,
    maxAge,
  });
}
