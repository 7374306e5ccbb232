import { useState, type ReactNode } from "react";
import type { Claims } from "../../client/session-state.ts";

/** A person in 32 pixels: initials, covered by the picture where one is asked for and can be had. */
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

/** First letters of the first and the last word of the name, or the first letter of what else there is. */
export function initialsOf(user: Claims): string {
  const words = nameOf(user).trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map(
    (word) => [...(word ?? "")][0] ?? "",
  );
  return letters.join("").toLocaleUpperCase();
}

/** What to call the person. */
export function nameOf(user: Claims): string {
  return user.name || user.preferred_username || user.nickname || user.email || user.sub;
}
