import type { PagesSettings } from "@latchkey/pages";
import type { Options } from "latchkey";

/** The look of the pages on every host. */
export const look = { name: "Harbour", accent: "#7a1f5c", logo: "/logo.svg" };

/**
 * The option of the pages, if rows start the application with them.
 *
 * @param pages - of the packed package that the host has installed
 */
export function pagesOptions(
  environment: Readonly<Record<string, string | undefined>>,
  pages: (settings: PagesSettings) => Options["pages"],
): Pick<Options, "pages"> {
  return environment["WITH_PAGES"] === undefined ? {} : { pages: pages(look) };
}
