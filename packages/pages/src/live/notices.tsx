import { SessionWarning } from "latchkey/react";

import { iconAddress } from "../components/door/door-icon.ts";

/** Notices of an end that is near or has come. */
export function Notices() {
  return <SessionWarning endingIcon={iconAddress("ending")} />;
}
