import { useState, type ReactNode } from "react";
import type { Claims } from "../../client/claims.ts";
import { textClaim } from "../../client/text-claim.ts";
import { displayName, initialsOf } from "./initials.ts";

/** The origins of pictures: any, none, or the listed ones. */
export type PictureSources = boolean | readonly string[];

export interface AvatarProps {
  /** The user; only `picture` and the claims with names are used. */
  readonly user: Claims;
  /**
   * Shows the user's picture: `true` from any address, or only from the listed origins, as in your
   * content security policy. Default: initials only.
   */
  readonly picture?: PictureSources | undefined;
}

/**
 * Shows the initials of a user in a circle of 2rem (`--lk-avatar`), covered by the picture if one
 * is wanted, allowed and loaded. Decoration: write the name beside it.
 */
export function Avatar({ user, picture = false }: AvatarProps): ReactNode {
  const [broken, setBroken] = useState(false);
  const address = textClaim(user.picture);
  return (
    <span className="lk-avatar" aria-hidden="true">
      {initialsOf(displayName(user))}
      {address && isAllowed(address, picture) && (
        <img
          src={address}
          alt=""
          hidden={broken}
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
    </span>
  );
}

function isAllowed(address: string, sources: PictureSources): boolean {
  if (typeof sources === "boolean") return sources;
  return URL.canParse(address) && sources.includes(new URL(address).origin);
}
