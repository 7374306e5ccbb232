/** The headers of a browser for a fetch of a page, without cookies. */
export function browserHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br",
    "accept-language": "en-GB,en;q=0.9",
    "sec-fetch-dest": "empty",
    "sec-fetch-mode": "cors",
    "sec-fetch-site": "same-origin",
    referer: `${origin}/`,
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
  };
}

/** The headers of a browser for a navigation, without cookies. */
export function pageHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    ...browserHeaders(origin),
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "sec-fetch-dest": "document",
    "sec-fetch-mode": "navigate",
    "sec-fetch-user": "?1",
  };
}
