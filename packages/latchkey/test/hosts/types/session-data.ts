export type Plan = "free" | "gold";

/**
 * Data of an app in the session, and claims of its provider: declared once, typed on every host.
 */
declare module "latchkey" {
  interface SessionData {
    readonly plan?: Plan;
  }
  interface Claims {
    readonly department?: string;
  }
}
