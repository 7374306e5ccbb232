import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** Whether the client prefers a page over JSON. */
export function wantsPage(context: Context): boolean {
  const preferred = accepts(context, {
    header: "Accept",
    supports: ["text/html", "application/json"],
    default: "application/json",
  });
  return preferred === "text/html";
}
