import type { Accent } from "../config/accent.ts";
import type { Pages } from "../config/pages.ts";
import type { ResponseParts } from "../http/response-parts.ts";

/** The accent for the components of `latchkey/react`, as CSS. */
export function brandSheet({ ink, fill, fillHover, onFill }: Accent): string {
  const pairs = {
    accent: ink,
    "accent-hover": ink,
    "accent-fill": fill,
    "accent-fill-hover": fillHover,
    "on-accent": onFill,
  };
  const lines = Object.entries(pairs).map(
    ([name, pair]) => `  --lk-${name}: light-dark(${pair.join(", ")});\n`,
  );
  return `:root {\n${lines.join("")}}\n`;
}

/** `GET <pages prefix>/brand.css`: the look of the pages for the components of an app. */
export async function brandCSS({ pages }: { readonly pages: Pages }): Promise<ResponseParts> {
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/css; charset=utf-8"],
      ["Cache-Control", "public, max-age=300"],
      ["X-Content-Type-Options", "nosniff"],
    ],
    body: pages.brand ?? "",
  };
}
