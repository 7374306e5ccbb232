import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from "react";
import { here, loginURL } from "../client/paths.ts";
import { useWords } from "../hooks/use-words.ts";

export interface SignInLinkProps extends Omit<ComponentPropsWithoutRef<"a">, "href"> {
  /** Where to go after signing in: a path on this origin. Default: the page the link is on. */
  readonly returnTo?: string | undefined;
  /** Lets the person choose the account at the provider, also when they are signed in there. */
  readonly chooseAccount?: boolean | undefined;
}

/**
 * A plain link to the login route. It works before and without scripts, opens in a new tab when asked to, and
 * keeps path, query and fragment of the page as they are when it is followed.
 */
export function SignInLink(props: SignInLinkProps): ReactNode {
  const { returnTo, chooseAccount, children, ...rest } = props;
  const { client, text } = useWords("SignInLink");
  const { onClick, onAuxClick, onContextMenu } = rest;
  const aim = (event: MouseEvent<HTMLAnchorElement>): void => {
    const target = returnTo ?? here(client.paths);
    event.currentTarget.href = loginURL(client.paths, target, chooseAccount);
  };
  return (
    <a
      className="lk-button lk-primary"
      rel="nofollow"
      {...rest}
      href={loginURL(client.paths, returnTo, chooseAccount)}
      onClick={both(aim, onClick)}
      onAuxClick={both(aim, onAuxClick)}
      onContextMenu={both(aim, onContextMenu)}
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
