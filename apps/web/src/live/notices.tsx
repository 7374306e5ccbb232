import { SessionWarning } from "latchkey/react";

import { iconAddress } from "../components/door/door-icon.ts";

/** What may have to be said at any time: an end that is near or has come. */
export function Notices() {
  return <SessionWarning endingIcon={iconAddress("ending")} />;
}
