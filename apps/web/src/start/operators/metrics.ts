import type { Metrics } from "latchkey/metrics";

import { bears } from "./bearer.ts";
import type { OperatorApp } from "./operator-apps.ts";

/** Adds `/metrics` for Prometheus; if there is a token, requests must carry it. */
export function addMetrics(
  app: OperatorApp,
  metrics: Pick<Metrics, "text" | "contentType">,
  token: string | undefined,
): void {
  app.get("/metrics", ({ env, body }) => {
    if (token !== undefined && !bears(env.incoming.headers, token))
      return body(null, 401, { "WWW-Authenticate": "Bearer", "Cache-Control": "no-store" });
    return body(metrics.text(), 200, {
      "Content-Type": metrics.contentType,
      "Cache-Control": "no-store",
    });
  });
}
