import { parseSetCookie } from "../http/cookies.ts";

/** A cookie as Playwright takes it in `context.addCookies` and in `storageState`. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Epoch seconds; -1 if it ends with the browser. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: "Strict" | "Lax" | "None";
}

/**
 * Returns what a browser keeps of these `Set-Cookie` lines.
 *
 * @param host - of the server that sent them
 */
export function browserCookies(lines: readonly string[], host: string): readonly BrowserCookie[] {
  return lines.map((line) => {
    const { name, value = "", domain, path = "/", ...rest } = parseSetCookie(line);
    return {
      name,
      value,
      domain: domain === undefined ? host : `.${domain.replace(/^\./, "")}`,
      path,
      expires: rest.expires === undefined ? -1 : Math.floor(rest.expires.getTime() / 1000),
      httpOnly: rest.httpOnly === true,
      secure: rest.secure === true,
      sameSite: sameSiteOf(rest.sameSite),
    };
  });
}

function sameSiteOf(value: unknown): BrowserCookie["sameSite"] {
  const name = String(value).toLowerCase();
  if (name === "strict") return "Strict";
  return name === "none" ? "None" : "Lax";
}
