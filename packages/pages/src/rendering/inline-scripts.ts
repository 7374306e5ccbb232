import type { PageAssets } from "./page-assets.ts";
import { hasCopying, type SheetName, sheetNames } from "./style-sheets.ts";

/** The script inside a kind of page. */
export function inlineScript(assets: PageAssets, sheet: SheetName): string {
  if (sheet === "public") return assets.publicScript;
  return assets.signedInScript + (hasCopying(sheet) ? assets.copyScript : "");
}

/** Every script inside pages, for the content security policy. */
export function inlineScripts(assets: PageAssets): readonly string[] {
  return [...new Set(sheetNames.map((name) => inlineScript(assets, name)))];
}
