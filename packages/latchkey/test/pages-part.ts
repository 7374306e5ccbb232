import type { PagesSite } from "../src/config/pages.ts";
import type { OpenedPart, Part } from "../src/host/part.ts";

type Pages = ReturnType<NonNullable<OpenedPart["pages"]>>;

/** The part of pages that an app gives to `createAuth`. */
export function pagesPart(create: (site: PagesSite) => Pages): Part<"pages"> {
  const written = { place: "pages", call: "pages()", options: {}, forms: {} };
  return { name: "pages", written, open: () => ({ pages: create }) };
}

/** Pages without a text, for tests that look at addresses. */
export const emptyPages: Pages = {
  problem: () => "",
  signedOut: () => "",
  keptForm: () => "",
};
