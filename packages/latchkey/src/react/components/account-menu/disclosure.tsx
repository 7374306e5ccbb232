import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";

export interface DisclosureProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly button: ReactNode;
  readonly children: ReactNode;
}

/**
 * A button that shows a panel, on `<details>`: it opens and closes without scripts. With scripts it
 * closes on Escape, which returns the focus to the button, on a press elsewhere, and when the focus
 * leaves it.
 */
export function Disclosure({ label, button, children }: DisclosureProps): ReactNode {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onPointerDown = ({ target }: Event): void => {
      if (isOutside(details.current, target)) close(details.current);
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- they come from the summary and the links
    <details className="lk-menu" ref={details} onKeyDown={onKeyDown} onBlur={onBlur}>
      <summary className="lk-trigger">
        <span className="lk-hidden">{label}</span>
        {button}
      </summary>
      <div className="lk-panel">{children}</div>
    </details>
  );
}

function isOutside(details: HTMLDetailsElement | null, target: EventTarget | null): boolean {
  return target instanceof Node && !details?.contains(target);
}

function close(details: HTMLDetailsElement | null): void {
  details?.removeAttribute("open");
}
