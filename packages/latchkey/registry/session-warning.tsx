import { OfflineBanner, SessionWarning as Warning } from "latchkey/react";
import type { ComponentProps } from "react";

/**
 * Warns before the session ends, says why it has ended, and says if the network is gone. Place it
 * once. Set `unsaved` while the page has something that is not saved.
 */
export function SessionWarning(props: ComponentProps<typeof Warning>) {
  return (
    <>
      <Warning {...props} />
      <OfflineBanner />
    </>
  );
}
