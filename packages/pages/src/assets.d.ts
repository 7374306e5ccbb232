/** What `vite build` makes for browsers, as one module. */
declare module "#assets" {
  import type { BuiltAssets } from "./rendering/page-assets.ts";

  const assets: BuiltAssets;
  export default assets;
}
