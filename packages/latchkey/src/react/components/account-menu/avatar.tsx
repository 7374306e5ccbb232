import { useState, type ReactNode } from "react";
import { type Claims, textClaim } from "../../client/claims.ts";
import { displayName, initialsOf } from "./initials.ts";

/** Where pictures may come from: anywhere, nowhere, or these origins only. */
export type PictureSources = boolean | readonly string[];

export interface AvatarProps {
  /** The person; of the claims, those that name them and `picture` are used. */
  readonly user: Claims;
  /**
   * Shows the picture of the person: `true` from any address, or the origins that your content
   * security policy allows, so that no other address is written. Default: initials only.
   */
  readonly picture?: PictureSources | undefined;
}

/**
 * A circle of 2rem (`--lk-avatar`) with the initials of a person, covered by the picture where
 * it is wanted, allowed and loads. Decoration: write the name beside it.
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
