import type { Config } from "latchkey";

import type { RenderContext } from "../rendering/render-context.ts";

type Headers = readonly (readonly [name: string, value: string])[];

/** The headers of pages: their own scripts and styles run, and nothing else. */
export async function pagePolicy(
  { issuerBaseURL }: Pick<Config, "issuerBaseURL">,
  { site, assets }: RenderContext,
): Promise<Headers> {
  const { publicStyle, signedInStyle, publicScript, signedInScript } = assets;
  const styles = await hashesOf([publicStyle, signedInStyle]);
  const scripts = await hashesOf([publicScript, signedInScript]);
  const pictures = ["'self'", "data:", "https:"];
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    `style-src ${styles}`,
    `img-src ${[...new Set([...pictures, ...site.pictureSources])].join(" ")}`,
    "connect-src 'self'",
    // Signing out redirects to the end-session endpoint: only the provider's metadata names it.
    `form-action 'self' https:${insecureIssuer(issuerBaseURL)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return [
    ["Content-Security-Policy", policy.join("; ")],
    ["Referrer-Policy", "same-origin"],
    ["X-Content-Type-Options", "nosniff"],
    ["X-Frame-Options", "DENY"],
  ];
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
