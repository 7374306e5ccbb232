import type { Context } from "hono";
import { generateCookie, getCookie } from "hono/cookie";
import type { Config } from "latchkey";

import type { Said } from "./devices-view.ts";
import { knownName } from "./device-name.ts";

/** Carries what was done from the form to the list, once. */
const cookieName = "devices_said";
const lifetimeSeconds = 60;

/** A `Set-Cookie` value with which the list will say what was done. */
export function rememberSaid(config: Config, said: Said): string {
  const facts = new URLSearchParams({ done: said.done });
  if (said.done === "one") {
    const { browser, system } = said.device;
    if (browser !== undefined) facts.set("browser", browser);
    if (system !== undefined) facts.set("system", system);
  }
  if ("lateUntil" in said && said.lateUntil !== undefined) facts.set("late", `${said.lateUntil}`);
  return cookie(config, facts.toString(), lifetimeSeconds);
}

/** What was done last, where this page is the first to say it. Only our own words and names come out of it. */
export function readSaid(context: Context, now: number): Said | undefined {
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

/** Takes it away, so that it is not said twice. */
export function forgetSaid(config: Config): string {
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
