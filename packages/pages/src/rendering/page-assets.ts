/** What the build made for pages. */
export interface PageAssets {
  /** Style sheet of public pages. */
  readonly publicStyle: string;
  /** Style sheet of pages for signed-in people. */
  readonly signedInStyle: string;
  /** Small script inside every public page. */
  readonly publicScript: string;
  /** Small script inside every page for signed-in people. */
  readonly signedInScript: string;
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
