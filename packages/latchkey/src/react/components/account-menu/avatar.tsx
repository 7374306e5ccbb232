import { useState, type ReactNode } from "react";
import type { Claims } from "../../client/claims.ts";

/**
 * A circle of 32 pixels with the initials of a person, covered by the picture where it is wanted
 * and loads.
 */
export function Avatar({ user, picture }: { user: Claims; picture: boolean }): ReactNode {
  const [broken, setBroken] = useState(false);
  return (
    <span className="lk-avatar" aria-hidden="true">
      {initialsOf(user)}
      {picture && user.picture && !broken && (
        <img
          src={user.picture}
          alt=""
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
    </span>
  );
}

/** The first characters of the first and the last word of the display name. */
export function initialsOf(user: Claims): string {
  const words = displayName(user).trim().split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : ""].map(
    (word) => [...(word ?? "")][0] ?? "",
  );
  return initials.join("").toLocaleUpperCase();
}

/**
 * What to call the person: the first of name, user name, nickname, email address and `sub` that is
 * there.
 */
export function displayName(user: Claims): string {
  return user.name || user.preferred_username || user.nickname || user.email || user.sub;
}
