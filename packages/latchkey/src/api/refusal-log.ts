import type { Engine } from "../host/engine.ts";
import { Refusal } from "../errors/refusal.ts";
import { createRecentMap } from "../time/recent-map.ts";
import { TokenRefused } from "./token-refused.ts";

/** Logs a refused token once in ten seconds for each sentence: any client can send any token. */
export function createRefusalLog({
  log,
  clock,
  timing,
}: Pick<Engine, "log" | "clock" | "timing">): (error: unknown) => void {
  const logged = createRecentMap<true>({ clock, timing, keepMs: logAgainMs, atMost: 100 });
  return (error) => {
    if (error instanceof TokenRefused) {
      const { error: code, message, detail = "", status } = error;
      if (!logged.add(message, true)) return;
      const words = [`${code}: ${message}`, detail].filter((each) => each !== "").join(" ");
      log({
        event: "refusal",
        route: "api",
        reason: "access_token_refused",
        status,
        detail: words,
      });
    } else {
      const detail = error instanceof Refusal ? (error.detail ?? error.message) : undefined;
      const reason = "access_token_unchecked";
      log({ event: "refusal", route: "api", reason, status: 503, detail, error });
    }
  };
}

const logAgainMs = 10_000;
