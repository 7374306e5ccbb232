import { useEffect, useRef, type ReactNode } from "react";
import { keepAccountMenu } from "./keep-account-menu.ts";

export interface DisclosureProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly button: ReactNode;
  readonly children: ReactNode;
}

/** A button that shows a panel, on `<details>`: it opens and closes without scripts. */
export function Disclosure({ label, button, children }: DisclosureProps): ReactNode {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => (details.current ? keepAccountMenu(details.current) : undefined), []);
  return (
    <details className="lk-menu" ref={details}>
      <summary className="lk-trigger">
        <span className="lk-hidden">{label}</span>
        {button}
      </summary>
      <div className="lk-panel">{children}</div>
    </details>
  );
}
