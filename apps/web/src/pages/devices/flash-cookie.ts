import { generateCookie, getCookie } from "hono/cookie";
import type { Config } from "latchkey";

import type { PageContext } from "../page-deps.ts";
import type { FlashMessage } from "./devices-view.ts";

/** Carries what was done from the form to the list. */
const cookieName = "devices_flash";
const lifetimeSeconds = 60;

/** What was done, and to which device. */
export interface FlashFacts {
  readonly done: FlashMessage["done"];
  readonly id?: string | undefined;
}

const known: readonly FlashMessage["done"][] = [
  "kept",
  "renamed",
  "name-too-long",
  "gone",
  "failed",
];

/** A `Set-Cookie` value by which the list will say what was done. */
export function setFlashMessage(config: Config, { done, id }: FlashFacts): string {
  const facts = new URLSearchParams({ done, ...(id === undefined ? {} : { id }) });
  return cookie(config, facts.toString(), lifetimeSeconds);
}

/** What was done last, where no page has said it yet. */
export function readFlashMessage(context: PageContext): FlashFacts | undefined {
  const facts = new URLSearchParams(getCookie(context, cookieName) ?? "");
  const done = known.find((each) => each === facts.get("done"));
  return done === undefined ? undefined : { done, id: facts.get("id") ?? undefined };
}

/** A `Set-Cookie` value that removes the message, so that the list says it once. */
export function clearFlashMessage(config: Config): string {
  return cookie(config, "", 0);
}

function cookie({ basePath, session }: Config, value: string, maxAge: number): string {
  return generateCookie(cookieName, value, {
    path: `${basePath}/devices`,
    httpOnly: true,
    sameSite: "Strict",
    secure: session.cookie.secure,
    maxAge,
  });
}
