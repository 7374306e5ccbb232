import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from "react";
import { currentReturnTo, loginURL, type SignInOptions } from "../client/paths.ts";
import { useWords } from "../hooks/use-words.ts";
import { withClass } from "./with-class.ts";

/** The attributes of a link except for its address, and how to sign in. */
export interface SignInLinkProps
  extends Omit<ComponentPropsWithoutRef<"a">, "href">, SignInOptions {}

/**
 * A plain link to the login route. It works before and without scripts, and in a new tab. Sign-in
 * comes back to the address of the page at the time of the click, with path, query and fragment.
 * Default text: "Sign in". `className` is added to its classes.
 */
export function SignInLink(props: SignInLinkProps): ReactNode {
  return <LoginLink look="lk-button lk-primary" {...props} />;
}

/** The same in another look. */
export function LoginLink(props: SignInLinkProps & { readonly look: string }): ReactNode {
  const { returnTo, connection, chooseAccount, shared, params, ...others } = props;
  const { children, look, className, ...rest } = others;
  const { client, text } = useWords("SignInLink");
  const { paths } = client;
  const hrefTo = (target?: string) =>
    loginURL(paths, { returnTo: target, connection, chooseAccount, shared, params });
  const addReturnTo = (event: MouseEvent<HTMLAnchorElement>): void => {
    event.currentTarget.href = hrefTo(returnTo ?? currentReturnTo(paths));
  };
  return (
    <a
      className={withClass(look, className)}
      rel="nofollow"
      {...rest}
      href={hrefTo(returnTo)}
      onClick={both(addReturnTo, rest.onClick)}
      onAuxClick={both(addReturnTo, rest.onAuxClick)}
      onContextMenu={both(addReturnTo, rest.onContextMenu)}
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
