import type { OpenedPart, Part, PartSite } from "../src/host/part.ts";

type Pages = NonNullable<OpenedPart["pages"]>;

/** The part of pages that an app gives to `createAuth`. */
export function pagesPart(create: (site: PartSite) => Pages): Part<"pages"> {
  const written = { place: "pages", call: "pages()", options: {}, forms: {} };
  return { name: "pages", written, open: (site) => ({ pages: create(site) }) };
}

/** Pages without a text, for tests that look at addresses. */
export const emptyPages: Pages = {
  problem: () => "",
  signedOut: () => "",
  keptForm: () => "",
};
