import { sha256 } from "../../crypto/digest.ts";
import { type HeaderList, noStoreHeaders } from "../../http/headers.ts";
import { style } from "./style.ts";

/** Nothing but the one style: no script, no other address, no frame around the page. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(style).replaceAll("-", "+").replaceAll("_", "/")}='`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const pageHeaders: HeaderList = [
  ...noStoreHeaders,
  ["Content-Security-Policy", policy],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Referrer-Policy", "no-referrer"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["X-Robots-Tag", "noindex"],
];
