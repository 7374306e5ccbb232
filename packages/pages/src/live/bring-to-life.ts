import type { ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

/** Hydrates a place that the server has rendered, and renders an empty one. */
export function bringToLife(place: HTMLElement, content: ReactNode): void {
  if (place.hasChildNodes()) hydrateRoot(place, content);
  else createRoot(place).render(content);
}
