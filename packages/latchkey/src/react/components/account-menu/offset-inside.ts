/** A rectangle in the coordinates of the window, as `getBoundingClientRect` returns it. */
export type Box = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

/** Pixels between the panel and its trigger, and at least between the panel and the edges. */
const gap = 8;

/**
 * Returns how far a panel has to move into the window, in pixels: sideways as little as possible,
 * and above its trigger if there is room only above.
 */
export function offsetInside(
  panel: Box,
  trigger: Box,
  { width, height }: { readonly width: number; readonly height: number },
): { x: number; y: number } {
  const x = panel.left < gap ? gap - panel.left : Math.min(0, width - gap - panel.right);
  const up = height - gap - panel.bottom;
  if (up >= 0) return { x, y: 0 };
  const above = trigger.top - gap - panel.bottom;
  return { x, y: panel.top + above >= gap ? above : Math.max(up, gap - panel.top) };
}
