import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { HeaderList } from "latchkey";

const twoYearsInSeconds = 63_072_000;

/**
 * Returns the headers of every response; pages have a policy of their own. They are computed once,
 * since nothing in them depends on the request. The server also sends them without an app: to
 * requests it cannot parse.
 */
export async function securityHeaders(baseURL: string, issuerURL?: string): Promise<HeaderList> {
  const isHTTPS = baseURL.startsWith("https:");
  const app = new Hono().use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        formAction: formTargets(issuerURL),
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
function formTargets(issuerURL = ""): string[] {
  const issuer = URL.parse(issuerURL);
  return ["'self'", "https:", ...(issuer?.protocol === "http:" ? [issuer.origin] : [])];
}
