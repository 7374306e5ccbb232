import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { useWords } from "../hooks/use-words.ts";
import { withClass } from "./with-class.ts";

/** The attributes of a button except for its type. */
export interface SignOutButtonProps extends Omit<ComponentPropsWithoutRef<"button">, "type"> {
  /** `"all"` also signs the user out in all other browsers. It needs a store on the server. */
  readonly devices?: "all" | undefined;
}

/**
 * A form posting to the logout route. It works without scripts, and no prefetch can submit it. It
 * signs out here and at the provider. Default text: "Sign out", or "Sign out on all devices".
 * `className` is added to its classes.
 */
export function SignOutButton(props: SignOutButtonProps): ReactNode {
  return <LogoutForm look="lk-button" {...props} />;
}

/** The same in another look. */
export function LogoutForm({
  look,
  children,
  className,
  devices,
  ...rest
}: SignOutButtonProps & { readonly look: string }): ReactNode {
  const { client, text } = useWords("SignOutButton");
  const { paths, announceSignOut } = client;
  const action = devices === "all" ? `${paths.logout}?devices=all` : paths.logout;
  return (
    <form className="lk-form" method="post" action={action} onSubmit={announceSignOut}>
      <button className={withClass(look, className)} {...rest} type="submit">
        {children ?? text(devices ? "signOutAll" : "signOut")}
      </button>
    </form>
  );
}
