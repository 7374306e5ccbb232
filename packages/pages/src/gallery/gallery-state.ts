import type { EndReason } from "latchkey";

import type { Page } from "../rendering/page.ts";

/** What happens to a live page after it has been opened. */
export type LaterChange =
  | { readonly kind: "ended"; readonly reason: EndReason }
  | { readonly kind: "offline" }
  | { readonly kind: "other-person" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "stale" };

/** One screen in one state. */
export interface GalleryState {
  /** Part of the address, e.g. `problem-loop`. */
  readonly id: string;
  readonly title: string;
  readonly page: Page;
  readonly after?: LaterChange;
  /** Address of the account at the provider; absent if the operator has set none. */
  readonly providerURL?: string | undefined;
  /** Whether the app has several ways to sign in. Default: false. */
  readonly hasSeveralWays?: boolean;
}
