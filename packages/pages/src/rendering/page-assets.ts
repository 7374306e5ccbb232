import type { StyleParts } from "./style-sheets.ts";

/** What the build made for pages. */
export interface PageAssets {
  readonly styleParts: StyleParts;
  /** Small script inside every public page. */
  readonly publicScript: string;
  /** Small script inside every page for signed-in people. */
  readonly signedInScript: string;
  /** Small script beside it, if a page has copy buttons. */
  readonly copyScript: string;
  /** Address of the module for pages of signed-in people, which watches the session. */
  readonly watchModule: string;
}

/** What the build made for the gallery, in development. */
export interface GalleryAssets {
  /** Style sheet of the index. */
  readonly style: string;
  /** Module of the index and of all states. */
  readonly script: string;
}

/** What the build made for browsers, in an app. */
export interface BuiltAssets extends PageAssets {
  /** The modules of pages, by their path. */
  readonly modules: Readonly<Record<string, string>>;
}
