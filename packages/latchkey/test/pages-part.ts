import type { Engine } from "../src/host/engine.ts";
import type { OpenedPart, Part } from "../src/host/part.ts";

type Pages = NonNullable<OpenedPart["pages"]>;

/** The part of pages that an app gives to `createAuth`. */
export function pagesPart(create: (engine: Engine) => Pages): Part<"pages"> {
  const written = { place: "pages", call: "pages()", options: {}, forms: {} };
  return { name: "pages", written, open: (engine) => ({ pages: create(engine) }) };
}

/** Pages without a text, for tests that look at addresses. */
export const emptyPages: Pages = {
  problem: () => "",
  signedOut: () => "",
  keptForm: () => "",
};
