import type { Config } from "latchkey";

import type { RenderContext } from "../rendering/render-context.ts";

/**
 * Returns the `Content-Security-Policy` of all pages: their own scripts and styles run, and nothing
 * else.
 */
export async function pagePolicy(
  { issuerBaseURL }: Pick<Config, "issuerBaseURL">,
  { site, assets }: RenderContext,
): Promise<string> {
  const { publicStyle, signedInStyle, publicScript, signedInScript } = assets;
  const styles = await hashesOf([publicStyle, signedInStyle]);
  const scripts = await hashesOf([publicScript, signedInScript]);
  const pictures = ["'self'", "data:", "https:"];
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    `style-src ${styles}`,
    `img-src ${[...new Set([...pictures, ...site.pictureSources])].join(" ")}`,
    "connect-src 'self'",
    // Signing out redirects to the end-session endpoint: only the provider's metadata names it.
    `form-action 'self' https:${insecureIssuer(issuerBaseURL)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function insecureIssuer(issuer: string): string {
  const { protocol, origin } = new URL(issuer);
  return protocol === "http:" ? ` ${origin}` : "";
}

async function hashesOf(texts: readonly string[]): Promise<string> {
  return (await Promise.all(texts.map(hashOf))).join(" ");
}

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
}
