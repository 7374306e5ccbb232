import type { Site } from "../components/page-frame.tsx";
import { inlineScripts } from "../rendering/inline-scripts.ts";
import type { PageAssets } from "../rendering/page-assets.ts";
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
  const policy = contentPolicy({
    ...(await hashesIn(assets)),
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

/** The hashes of every style and script inside pages. */
interface Hashes {
  readonly styles: string;
  readonly scripts: string;
}

/** Those of an app are the same at all its hosts. */
const known = new WeakMap<PageAssets, Promise<Hashes>>();

function hashesIn(assets: PageAssets): Promise<Hashes> {
  const found =
    known.get(assets) ??
    hashesOf({ styles: styleSheets(assets.styleParts), scripts: inlineScripts(assets) });
  known.set(assets, found);
  return found;
}

/** Returns the hashes of styles and scripts, for a content security policy. */
export async function hashesOf(texts: {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}): Promise<Hashes> {
  const [styles, scripts] = await Promise.all([listOf(texts.styles), listOf(texts.scripts)]);
  return { styles, scripts };
}

async function listOf(texts: readonly string[]): Promise<string> {
  return (await Promise.all(texts.map(hashOf))).join(" ");
}

interface PolicyFacts extends Hashes {
  readonly pictureSources: readonly string[];
  /** Beside the origin of the page. */
  readonly formTargets: string;
  readonly framedBy: "'none'" | "'self'";
}

/** A content security policy for pages with these styles and scripts. */
export function contentPolicy({
  styles,
  scripts,
  pictureSources,
  formTargets,
  framedBy,
}: PolicyFacts): string {
  const pictures = ["'self'", "data:", ...pictureSources];
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    `style-src ${styles}`,
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

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
}
