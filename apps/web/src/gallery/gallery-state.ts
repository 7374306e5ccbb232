import type { EndReason, Session } from "latchkey";

import type { LiveView } from "../rendering/live-view.tsx";
import type { PlainView } from "../rendering/plain-view.tsx";

/** What happens to a live page after it has been opened. */
export type Aftermath =
  | { readonly kind: "ended"; readonly reason: EndReason }
  | { readonly kind: "offline" }
  | { readonly kind: "other-person" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "stale" };

interface NamedState {
  /** Part of the address, e.g. `problem-loop`. */
  readonly id: string;
  readonly title: string;
}

/** One screen in one state. */
export type GalleryState = NamedState &
  (
    | { readonly plain: PlainView }
    | { readonly live: LiveView; readonly session: Session; readonly after?: Aftermath }
  );
