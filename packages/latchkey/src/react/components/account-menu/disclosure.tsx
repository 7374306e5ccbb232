import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";

export interface DisclosureProps {
  /** What the button is called. */
  readonly label: string;
  readonly button: ReactNode;
  readonly children: ReactNode;
}

/**
 * A button that shows a panel, on `<details>`: it opens and closes without scripts. With them Escape closes it and
 * gives the focus back, and so does leaving it.
 */
export function Disclosure({ label, button, children }: DisclosureProps): ReactNode {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const pressed = (event: Event): void => {
      if (event.target instanceof Node && !details.current?.contains(event.target))
        close(details.current);
    };
    document.addEventListener("pointerdown", pressed);
    return () => document.removeEventListener("pointerdown", pressed);
  }, []);
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !details.current?.open) return;
    close(details.current);
    details.current.querySelector("summary")?.focus();
  };
  const left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && !details.current?.contains(relatedTarget))
      close(details.current);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- they come from the summary and the links
    <details className="lk-menu" ref={details} onKeyDown={escape} onBlur={left}>
      <summary className="lk-trigger">
        <span className="lk-hidden">{label}</span>
        {button}
      </summary>
      <div className="lk-panel">{children}</div>
    </details>
  );
}

function close(details: HTMLDetailsElement | null): void {
  details?.removeAttribute("open");
}
