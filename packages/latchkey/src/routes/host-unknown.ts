import type { Config } from "../config/config.ts";
import type { Runtime } from "../config/runtime.ts";
import { oneLine } from "../errors/one-line.ts";
import { codeOf, reasons } from "../errors/reasons.ts";
import { referenceOf } from "../telemetry/reference.ts";
import { preferredBody } from "../http/accept.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { errorJSON } from "../http/error-json.ts";
import { noStoreHeaders } from "../http/headers.ts";
import { html, type ResponseParts, text } from "../http/response-parts.ts";
import { note, page, paragraph } from "./built-in-pages.ts";

const { status, text: message } = reasons.host_unknown;
const headers = [
  ...noStoreHeaders,
  ["Referrer-Policy", "no-referrer"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
] as const;

/** One customer must not learn of another: nothing of an app is on the page. */
const plain = { appName: undefined, color: { accent: "#59616b #a5adb8" } };
const title = "Nothing here";
const advice = "There's no app at this address. Check it for typing mistakes.";

interface Asked extends Pick<Runtime, "randomText" | "clock" | "log"> {
  readonly config: Config;
}

/**
 * Answers a request for a host without a site. Nothing of the request or of the app is in the
 * answer, except in development.
 *
 * @param host - as the request names it; `null` if it names none, or two
 */
export function hostUnknown(
  { config, randomText, clock, log }: Asked,
  request: HostRequest,
  host: string | null,
): ResponseParts {
  const reference = referenceOf(randomText(6));
  const detail = detailOf(config, host);
  const refusal = { event: "refusal", route: "guard", reason: "host_unknown" } as const;
  // It happened at none of the hosts whose log this is.
  log({ ...refusal, status, reference, detail, host: undefined });
  const shown = config.production ? undefined : detail;
  switch (preferredBody(request, "json")) {
    case "html": {
      const time = note("Time", new Date(clock()).toISOString());
      const developers = shown === undefined ? [] : [note("For developers", shown)];
      const content = [paragraph(advice), note("Reference", reference), time, ...developers];
      return html(page(plain, title, content), status, headers);
    }
    case "json":
      return errorJSON(
        { error: codeOf("host_unknown"), description: message, reference },
        status,
        headers,
      );
    case "text":
      return text(message, status, headers);
  }
}

function detailOf({ baseURLs, hostHeader }: Config, host: string | null): string {
  const named = host === null ? "no host, or two" : `the host ${oneLine(host, 100)}`;
  const source = hostHeader === undefined ? "Host" : hostHeader;
  return oneLine(
    `the request names ${named} (by ${source}); LATCHKEY_BASE_URL lists ${baseURLs.join(", ")}. Behind a proxy that changes Host, let it keep Host, or set LATCHKEY_HOST_HEADER to the header in which it passes the host on`,
    600,
  );
}
