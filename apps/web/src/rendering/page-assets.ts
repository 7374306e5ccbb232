/** The built pieces that pages are put together from. */
export interface PageParts {
  /** Style sheet of pages that need no script. */
  readonly pageStyle: string;
  /** Style sheet of pages for signed-in people. */
  readonly liveStyle: string;
  /** Style sheet of the gallery. */
  readonly galleryStyle: string;
  /** Small script that stands in every page. */
  readonly inlineScript: string;
  /** Address of the module that hydrates pages for signed-in people. */
  readonly liveModule: string;
}
