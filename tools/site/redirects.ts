import { formerReasons } from "../../packages/latchkey/src/errors/former-reasons.ts";

/**
 * Addresses that a page had before, and its id of today. A page that moves gets a line here; no
 * line is ever removed.
 */
export const redirects: Readonly<Record<string, string>> = {
  conformance: "comparison",
  guides: "index",
  "guides/into-your-app": "index",
  "guides/settings": "options",
  "moving/others": "moving",
  providers: "guides/providers",
  "reference/setting-errors": "options",
  settings: "options",
  ...Object.fromEntries(
    [...formerReasons].map(([name, { reason }]) => [`errors/${name}`, `errors/${reason}`]),
  ),
};
