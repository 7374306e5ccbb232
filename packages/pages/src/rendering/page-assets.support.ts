import type { PageAssets } from "./page-assets.ts";

/** What a build makes, small enough to read in a test. */
export const assetsForTests: PageAssets = {
  styleParts: {
    base: "h1{color:inherit}",
    public: "",
    signedIn: "h2{color:inherit}",
    column: "",
    copying: "",
    account: "",
    details: "",
    devices: "",
    home: "",
    problem: "",
    print: "",
  },
  publicScript: "void 0",
  signedInScript: "void 2",
  copyScript: "void 3",
  watchModule: "/assets/live-test.js",
};
