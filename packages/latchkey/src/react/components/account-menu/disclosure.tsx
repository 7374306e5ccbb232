import { useEffect, useRef, type ReactNode } from "react";
import { withClass } from "../with-class.ts";
import { keepAccountMenu } from "./keep-account-menu.ts";

export interface DisclosureProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly className: string | undefined;
  /** A picture. Its text is not read. */
  readonly button: ReactNode;
  readonly children: ReactNode;
}

/** A button that shows a panel, on `<details>`: it opens and closes without scripts. */
export function Disclosure(props: DisclosureProps): ReactNode {
  const { label, className, button, children } = props;
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => (details.current ? keepAccountMenu(details.current) : undefined), []);
  return (
    <details className={withClass("lk-menu", className)} ref={details}>
      <summary className="lk-trigger">
        <span role="img" aria-label={label}>
          {button}
        </span>
      </summary>
      <div className="lk-panel">{children}</div>
    </details>
  );
}
