import type { ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

/** Hydrates what the server has rendered in a place, and renders anew where it has rendered nothing. */
export function bringToLife(place: HTMLElement, content: ReactNode): void {
  if (place.hasChildNodes()) hydrateRoot(place, content);
  else createRoot(place).render(content);
}
