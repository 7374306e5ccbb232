import type { Metrics } from "latchkey/metrics";

import { bears } from "./bearer.ts";
import type { OperatorListener } from "./health.ts";

/** Answers Prometheus at `/metrics`, where it brings the token, if there is one. */
export function metricsListener(
  metrics: Pick<Metrics, "text" | "contentType">,
  token: string | undefined,
): OperatorListener {
  return ({ url = "", headers }, outgoing) => {
    if (url.split("?", 1)[0] !== "/metrics") return false;
    if (token !== undefined && !bears(headers, token)) {
      outgoing.writeHead(401, { "WWW-Authenticate": "Bearer", "Cache-Control": "no-store" }).end();
      return true;
    }
    outgoing.writeHead(200, { "Content-Type": metrics.contentType, "Cache-Control": "no-store" });
    outgoing.end(metrics.text());
    return true;
  };
}
