import type { HostContext } from "./host-context.ts";

/** The contexts of the sites of an app. */
export interface Sites {
  /** That of the first base URL. */
  readonly primary: HostContext;
}
