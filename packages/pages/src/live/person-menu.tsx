import { AccountMenu } from "latchkey/react";

export interface PersonMenuProps {
  /** What stands before every path of the app. */
  readonly root: string;
  /** Allowed origins of profile pictures. */
  readonly pictureSources: readonly string[];
}

/** Who is signed in, in the corner of every page. */
export function PersonMenu({ root, pictureSources }: PersonMenuProps) {
  return (
    <AccountMenu
      accountHref={`${root}/account`}
      devicesHref={`${root}/devices`}
      picture={pictureSources}
    />
  );
}
