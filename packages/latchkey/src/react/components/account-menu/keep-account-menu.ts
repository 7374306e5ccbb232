import { offsetInside } from "./offset-inside.ts";

/**
 * Keeps the open panel of an account menu inside the window. Closes it on Escape, which returns the
 * focus to the button, on a press elsewhere, and when the focus leaves it. `AccountMenu` calls it;
 * call it for a server-rendered menu without React.
 *
 * @param menu - the `<details class="lk-menu">` of `AccountMenu`
 * @returns a function to stop
 */
export function keepAccountMenu(menu: HTMLDetailsElement): () => void {
  const subscription = new AbortController();
  const on = (target: EventTarget, name: string, listener: (event: Event) => void): void =>
    target.addEventListener(name, listener, subscription);
  const close = (): void => menu.removeAttribute("open");
  const isOutside = (target: unknown): boolean => target instanceof Node && !menu.contains(target);

  on(menu, "toggle", () => keepInside(menu));
  on(window, "resize", () => keepInside(menu));
  on(document, "pointerdown", ({ target }) => isOutside(target) && close());
  on(menu, "focusout", (event) => isOutside((event as FocusEvent).relatedTarget) && close());
  on(menu, "keydown", (event) => {
    if ((event as KeyboardEvent).key !== "Escape" || !menu.open) return;
    close();
    menu.querySelector("summary")?.focus();
  });
  keepInside(menu);
  return () => subscription.abort();
}

/** Moves the open panel into the window, whatever the menu's place on the page. */
function keepInside(menu: HTMLDetailsElement): void {
  const panel = menu.querySelector<HTMLElement>(".lk-panel");
  if (!menu.open || !panel) return;
  panel.style.translate = "";
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const [place, trigger] = [panel.getBoundingClientRect(), menu.getBoundingClientRect()];
  const { x, y } = offsetInside(place, trigger, { width, height });
  panel.style.translate = `${x}px ${y}px`;
}
