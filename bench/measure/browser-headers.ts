/** What is asked for: a page by navigating, or data by a script. */
export type Want = "page" | "data";

/** The headers that a browser sends along, beside its cookies. */
export function browserHeaders(want: Want, origin: string): Record<string, string> {
  return {
    accept:
      want === "page"
        ? "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        : "application/json",
    "accept-encoding": "gzip, deflate, br",
    "accept-language": "en-GB,en;q=0.9",
    "sec-fetch-dest": want === "page" ? "document" : "empty",
    "sec-fetch-mode": want === "page" ? "navigate" : "cors",
    "sec-fetch-site": "same-origin",
    referer: `${origin}/`,
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
  };
}
