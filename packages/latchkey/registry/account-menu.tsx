import { AccountMenu as Menu } from "latchkey/react";
import type { ComponentProps } from "react";

/** Shows who is signed in. Add links of your own, each in an `<li>`. */
export function AccountMenu({ children, ...props }: ComponentProps<typeof Menu>) {
  return (
    <Menu {...props}>
      {children}
      {/* <li><a className="lk-item" href="/billing">Billing</a></li> */}
    </Menu>
  );
}
