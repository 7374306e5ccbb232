import { createHash } from "node:crypto";

import type { HeaderList } from "latchkey";

export interface HeaderFacts {
  readonly baseURL: string;
  readonly issuerURL: string | undefined;
  /** Everything that stands inside pages as style or script. */
  readonly inlineStyles: readonly string[];
  readonly inlineScripts: readonly string[];
  readonly pictureSources: readonly string[];
}

const yearsOfHTTPS = 2;
const secondsPerYear = 31_536_000;

/** The headers that every response carries. They are made once: nothing in them changes by request. */
export function securityHeaders(facts: HeaderFacts): HeaderList {
  const isHTTPS = facts.baseURL.startsWith("https:");
  return [
    ["Content-Security-Policy", contentSecurityPolicy(facts, isHTTPS)],
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "no-referrer"],
    ["X-Frame-Options", "DENY"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Cross-Origin-Resource-Policy", "same-origin"],
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
    ...(isHTTPS
      ? [
          [
            "Strict-Transport-Security",
            `max-age=${yearsOfHTTPS * secondsPerYear}; includeSubDomains`,
          ] as const,
        ]
      : []),
  ];
}

function contentSecurityPolicy(facts: HeaderFacts, isHTTPS: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${facts.inlineScripts.map(hashOf).join(" ")}`,
    `style-src ${facts.inlineStyles.map(hashOf).join(" ")}`,
    ["img-src 'self' data:", ...facts.pictureSources].join(" "),
    "connect-src 'self'",
    `form-action ${formTargets(facts)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    ...(isHTTPS ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/**
 * Signing out is a form whose response is a redirect to the provider's end-session endpoint, and browsers hold
 * `form-action` against that redirect too. Which host that endpoint has only the provider's metadata knows, so
 * any host will do as long as it is https; a provider on http is named.
 */
function formTargets({ issuerURL }: HeaderFacts): string {
  const issuer =
    issuerURL !== undefined && URL.canParse(issuerURL) ? new URL(issuerURL) : undefined;
  return issuer?.protocol === "http:" ? `'self' https: ${issuer.origin}` : "'self' https:";
}

function hashOf(content: string): string {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}
