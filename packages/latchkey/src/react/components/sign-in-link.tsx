import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from "react";
import { currentReturnTo, loginURL, type SignInOptions } from "../client/paths.ts";
import { useWords } from "../hooks/use-words.ts";

/** The attributes of a link but its address, and how to sign in. */
export interface SignInLinkProps
  extends Omit<ComponentPropsWithoutRef<"a">, "href">, SignInOptions {}

/**
 * A plain link to the login route, which works before and without scripts, and in a new tab. It
 * comes back to the page as it is when the link is followed, with path, query and fragment. Default
 * text: "Sign in".
 */
export function SignInLink(props: SignInLinkProps): ReactNode {
  const { returnTo, chooseAccount, children, ...rest } = props;
  const { client, text } = useWords("SignInLink");
  const { paths } = client;
  const { onClick, onAuxClick, onContextMenu } = rest;
  const addReturnTo = (event: MouseEvent<HTMLAnchorElement>): void => {
    const target = returnTo ?? currentReturnTo(paths);
    event.currentTarget.href = loginURL(paths, { returnTo: target, chooseAccount });
  };
  return (
    <a
      className="lk-button lk-primary"
      rel="nofollow"
      {...rest}
      href={loginURL(paths, { returnTo, chooseAccount })}
      onClick={both(addReturnTo, onClick)}
      onAuxClick={both(addReturnTo, onAuxClick)}
      onContextMenu={both(addReturnTo, onContextMenu)}
    >
      {children ?? text("signIn")}
    </a>
  );
}

function both<E>(first: (event: E) => void, then: ((event: E) => void) | undefined) {
  return (event: E): void => {
    first(event);
    then?.(event);
  };
}
