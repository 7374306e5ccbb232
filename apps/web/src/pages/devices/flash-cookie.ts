import { generateCookie, getCookie } from "hono/cookie";
import type { Config } from "latchkey";

import type { PageContext } from "../page-deps.ts";
import type { FlashMessage } from "./devices-view.ts";
import { knownName } from "./device-name.ts";

/** Carries what was done from the form to the list. */
const cookieName = "devices_flash";
const lifetimeSeconds = 60;

/** A `Set-Cookie` value by which the list will say what was done. */
export function setFlashMessage(config: Config, message: FlashMessage): string {
  const facts = new URLSearchParams({ done: message.done });
  if (message.done === "one") {
    const { browser, system } = message.device;
    if (browser !== undefined) facts.set("browser", browser);
    if (system !== undefined) facts.set("system", system);
  }
  if ("lateUntil" in message && message.lateUntil !== undefined)
    facts.set("late", `${message.lateUntil}`);
  return cookie(config, facts.toString(), lifetimeSeconds);
}

/** What was done last, where no page has said it yet. Only our own words and names come out of it. */
export function readFlashMessage(context: PageContext, now: number): FlashMessage | undefined {
  const facts = new URLSearchParams(getCookie(context, cookieName) ?? "");
  const late = Number(facts.get("late"));
  const until = Number.isSafeInteger(late) && late > now ? { lateUntil: late } : {};
  const done = facts.get("done");
  switch (done) {
    case "one":
      return { done, device: knownName(facts.get("browser"), facts.get("system")), ...until };
    case "others":
      return { done, ...until };
    case "gone":
    case "failed":
      return { done };
    default:
      return undefined;
  }
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
