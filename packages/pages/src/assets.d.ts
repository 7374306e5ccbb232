/** What `vite build` makes for browsers, as one module. */
declare module "#assets" {
  import type { BuiltAssets, GalleryAssets } from "./rendering/page-assets.ts";

  export const gallery: GalleryAssets;
  const assets: BuiltAssets;
  export default assets;
}
