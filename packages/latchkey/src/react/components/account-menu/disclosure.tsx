import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";
import { offsetInside } from "./offset-inside.ts";

export interface DisclosureProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly button: ReactNode;
  readonly children: ReactNode;
}

/**
 * A button that shows a panel, on `<details>`: it opens and closes without scripts. With scripts the
 * panel opens inside the window; it closes on Escape, which returns the focus to the button, on a
 * press elsewhere, and when the focus leaves it.
 */
export function Disclosure({ label, button, children }: DisclosureProps): ReactNode {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onPointerDown = ({ target }: Event): void => {
      if (isOutside(details.current, target)) close(details.current);
    };
    const onResize = (): void => keepInside(details.current);
    document.addEventListener("pointerdown", onPointerDown);
    addEventListener("resize", onResize);
    return () => {
      document.removeEventListener("pointerdown", onPointerDown);
      removeEventListener("resize", onResize);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !details.current?.open) return;
    close(details.current);
    details.current.querySelector("summary")?.focus();
  };
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    if (isOutside(details.current, relatedTarget)) close(details.current);
  };
  return (
    // The events come from the summary and the links inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details
      className="lk-menu"
      ref={details}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      onToggle={() => keepInside(details.current)}
    >
      <summary className="lk-trigger">
        <span className="lk-hidden">{label}</span>
        {button}
      </summary>
      <div className="lk-panel">{children}</div>
    </details>
  );
}

/** Moves the open panel into the window, whatever the menu's place on the page. */
function keepInside(details: HTMLDetailsElement | null): void {
  const panel = details?.querySelector<HTMLElement>(".lk-panel");
  if (!details?.open || !panel) return;
  panel.style.translate = "";
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const [place, trigger] = [panel.getBoundingClientRect(), details.getBoundingClientRect()];
  const { x, y } = offsetInside(place, trigger, { width, height });
  panel.style.translate = `${x}px ${y}px`;
}

function isOutside(details: HTMLDetailsElement | null, target: EventTarget | null): boolean {
  return target instanceof Node && !details?.contains(target);
}

function close(details: HTMLDetailsElement | null): void {
  details?.removeAttribute("open");
}
