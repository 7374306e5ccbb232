import type { BuiltFiles } from "./built-files.ts";

/** What a build makes, small enough to read in a test. */
export const builtForTests: BuiltFiles = {
  assets: {
    publicStyle: "h1{color:inherit}",
    signedInStyle: "h2{color:inherit}",
    galleryStyle: "h3{color:inherit}",
    inlineScript: "void 0",
    liveModule: "/assets/live-test.js",
  },
  galleryScript: "void 1",
  files: new Map([
    [
      "/assets/live-test.js",
      {
        type: "text/javascript; charset=utf-8",
        etag: '"test"',
        immutable: true,
        plain: new TextEncoder().encode("export {};"),
      },
    ],
  ]),
};
