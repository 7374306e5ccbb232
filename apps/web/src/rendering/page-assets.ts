/** What the build made for pages. */
export interface PageAssets {
  /** Style sheet of public pages. */
  readonly publicStyle: string;
  /** Style sheet of pages for signed-in people. */
  readonly signedInStyle: string;
  /** Style sheet of the gallery. */
  readonly galleryStyle: string;
  /** Small script that stands in every public page. */
  readonly publicScript: string;
  /** Small script that stands in every page for signed-in people. */
  readonly signedInScript: string;
  /** Address of the module that watches the session on pages for signed-in people. */
  readonly watchModule: string;
  /** Address of the module that counts down until devices are signed out, on pages that say so. */
  readonly endingModule: string;
}
