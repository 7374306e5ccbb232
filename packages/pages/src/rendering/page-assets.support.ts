import type { PageAssets } from "./page-assets.ts";

/** What a build makes, small enough to read in a test. */
export const assetsForTests: PageAssets = {
  publicStyle: "h1{color:inherit}",
  signedInStyle: "h2{color:inherit}",
  publicScript: "void 0",
  signedInScript: "void 2",
  watchModule: "/assets/live-test.js",
};
