import { createHash } from "node:crypto";

import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { HeaderList } from "latchkey";

export interface HeaderFacts {
  readonly baseURL: string;
  readonly issuerURL: string | undefined;
  /** Every style and script inside pages. */
  readonly inlineStyles: readonly string[];
  readonly inlineScripts: readonly string[];
  readonly pictureSources: readonly string[];
}

const twoYearsInSeconds = 63_072_000;

/**
 * Returns the headers of every response. They are computed once, since nothing in them depends on
 * the request. The server also sends them without an app: to requests it cannot parse.
 */
export async function securityHeaders(facts: HeaderFacts): Promise<HeaderList> {
  const isHTTPS = facts.baseURL.startsWith("https:");
  const app = new Hono().use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...facts.inlineScripts.map(hashOf)],
        styleSrc: facts.inlineStyles.map(hashOf),
        imgSrc: ["'self'", "data:", ...facts.pictureSources],
        connectSrc: ["'self'"],
        formAction: formTargets(facts),
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        ...(isHTTPS ? { upgradeInsecureRequests: [] } : {}),
      },
      strictTransportSecurity: isHTTPS && `max-age=${twoYearsInSeconds}; includeSubDomains`,
      xFrameOptions: "DENY",
      permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
    }),
  );
  app.get("/", (context) => context.body(null));
  return [...(await app.request("/")).headers];
}

/**
 * Signing out is a form whose response redirects to the provider's end-session endpoint, and
 * browsers apply `form-action` to the redirect. Only the provider's metadata names the host of the
 * endpoint, so every https host is allowed; a provider on http is named.
 */
function formTargets({ issuerURL }: HeaderFacts): string[] {
  const issuer = URL.parse(issuerURL ?? "");
  return ["'self'", "https:", ...(issuer?.protocol === "http:" ? [issuer.origin] : [])];
}

function hashOf(content: string): string {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}
