import { AccountMenu } from "latchkey/react";

import { usePageFrame } from "../components/page-frame.tsx";

/** Who is signed in, in the corner of every page. */
export function PersonMenu() {
  const { root, pictures } = usePageFrame().site;
  return (
    <AccountMenu
      accountHref={`${root}/account`}
      devicesHref={`${root}/devices`}
      picture={pictures}
    />
  );
}
