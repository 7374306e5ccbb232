import type { Runtime } from "../config/runtime.ts";
import { refusalOf } from "../errors/refusal.ts";

/** A call failed, and the request that needed it goes on without it. */
export function logProviderFault(
  { log }: Pick<Runtime, "log">,
  error: unknown,
  detail: string,
): void {
  log({ event: "provider-fault", reason: refusalOf(error).reason, detail });
}
