const pendingAfterMs = 200;
const guardMs = 5000;

/**
 * Links with `data-leaves` start a sign-in once: a second click within five seconds does nothing.
 * After a moment they show their pending words, if they have any, and keep their size.
 */
export function leaveOnce(page: Document, view: Window): void {
  const left = new Map<HTMLAnchorElement, { label: string; timers: number[] }>();
  page.addEventListener("click", (event) => {
    const { target } = event;
    const link =
      target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-leaves]") : null;
    if (link === null || opensElsewhere(event)) return;
    if (left.has(link)) {
      event.preventDefault();
      return;
    }
    const label = link.textContent;
    const timers = [
      view.setTimeout(() => showPending(link), pendingAfterMs),
      view.setTimeout(() => restore(link), guardMs),
    ];
    left.set(link, { label, timers });
  });
  view.addEventListener("pageshow", () => {
    for (const link of left.keys()) restore(link);
  });

  function restore(link: HTMLAnchorElement): void {
    const known = left.get(link);
    if (known === undefined) return;
    for (const timer of known.timers) view.clearTimeout(timer);
    link.textContent = known.label;
    link.removeAttribute("aria-disabled");
    link.style.removeProperty("min-inline-size");
    left.delete(link);
  }
}

/** Links with `data-back` go back if there is a history. */
export function goBack(page: Document, past: History): void {
  page.addEventListener("click", (event) => {
    const { target } = event;
    const link = target instanceof Element ? target.closest("a[data-back]") : null;
    if (link === null || past.length < 2 || opensElsewhere(event)) return;
    event.preventDefault();
    past.back();
  });
}

function showPending(link: HTMLAnchorElement): void {
  link.style.minInlineSize = `${link.offsetWidth}px`;
  link.setAttribute("aria-disabled", "true");
  const pending = link.dataset["leaves"] ?? "";
  if (pending !== "") link.textContent = pending;
}

function opensElsewhere({ button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button !== 0 || ctrlKey || metaKey || shiftKey;
}
