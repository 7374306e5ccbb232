/**
 * Addresses that a page had before, and its id of today. A page that moves gets a line here; no
 * line is ever removed.
 */
export const redirects: Readonly<Record<string, string>> = {
  guides: "guides/into-your-app",
  providers: "guides/providers",
  settings: "options",
};
