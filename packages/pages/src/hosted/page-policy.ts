import type { Site } from "../components/page-frame.tsx";
import { inlineScripts } from "../rendering/inline-scripts.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { styleSheets } from "../rendering/style-sheets.ts";
import type { LookFacts } from "./look.ts";

/**
 * Returns the `Content-Security-Policy` of all pages: their own scripts and styles run, and nothing
 * else.
 */
export async function pagePolicy(
  { connections }: Pick<LookFacts, "connections">,
  { site, assets }: RenderContext,
): Promise<string> {
  const policy = await contentPolicy({
    styles: styleSheets(assets.styleParts),
    scripts: inlineScripts(assets),
    pictureSources: pictureOrigins(site),
    // Signing out redirects to the end-session endpoint: only the provider's metadata names it.
    formTargets: ["https:", ...insecureIssuers(connections)].join(" "),
    framedBy: "'none'",
  });
  return site.baseURL.startsWith("https:") ? `${policy}; upgrade-insecure-requests` : policy;
}

/** The other origins of logos and profile pictures. */
function pictureOrigins({ logo, baseURL, pictureSources }: Site): readonly string[] {
  const addresses = [logo ?? [], pictureSources].flat().map((each) => new URL(each, baseURL));
  const own = new URL(baseURL).origin;
  return addresses.flatMap(({ protocol, origin }) =>
    protocol === "data:" || origin === own ? [] : [origin],
  );
}

interface PolicyFacts {
  /** Every style and script inside the pages. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly pictureSources: readonly string[];
  /** Beside the origin of the page. */
  readonly formTargets: string;
  readonly framedBy: "'none'" | "'self'";
}

/** A content security policy for pages with these styles and scripts. */
export async function contentPolicy({
  styles,
  scripts,
  pictureSources,
  formTargets,
  framedBy,
}: PolicyFacts): Promise<string> {
  const pictures = ["'self'", "data:", ...pictureSources];
  return [
    "default-src 'none'",
    `script-src 'self' ${await hashesOf(scripts)}`,
    `style-src ${await hashesOf(styles)}`,
    `img-src ${[...new Set(pictures)].join(" ")}`,
    "connect-src 'self'",
    `form-action 'self' ${formTargets}`,
    "base-uri 'none'",
    `frame-ancestors ${framedBy}`,
    "object-src 'none'",
  ].join("; ");
}

function insecureIssuers(connections: LookFacts["connections"]): readonly string[] {
  const origins = Object.values(connections).flatMap(({ issuerBaseURL }) => {
    const address = URL.parse(issuerBaseURL);
    return address?.protocol === "http:" ? [address.origin] : [];
  });
  return [...new Set(origins)];
}

async function hashesOf(texts: readonly string[]): Promise<string> {
  return (await Promise.all(texts.map(hashOf))).join(" ");
}

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
}
