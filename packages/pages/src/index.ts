export { pages } from "./hosted/pages.ts";
export type { PagesSettings } from "./hosted/settings.ts";
