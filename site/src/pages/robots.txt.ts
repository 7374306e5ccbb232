import { base, origin } from "../../../tools/site/addresses.ts";

export function GET() {
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${origin}${base}sitemap-index.xml\n`);
}
