import type { ReactNode } from "react";

import { Message } from "./message.tsx";

/**
 * The second way to sign in, for a session that ends with the browser or soon without use; nothing
 * if the first one is this way.
 */
export function SharedComputer({ signInURL }: { signInURL: string }) {
  if (/[?&]shared=1(?:&|$)/.test(signInURL)) return null;
  const href = `${signInURL}${signInURL.includes("?") ? "&" : "?"}shared=1`;
  const to = (content: ReactNode) => (
    <a href={href} data-leaves="" data-keep-hash="">
      {content}
    </a>
  );
  return (
    <p className="quiet">
      <Message id="home.shared" tags={{ to }} />
    </p>
  );
}
