import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { useWords } from "../hooks/use-words.ts";

/** The attributes of a button except for its type. */
export type SignOutButtonProps = Omit<ComponentPropsWithoutRef<"button">, "type">;

/**
 * A form posting to the logout route. It works without scripts, and no prefetch can submit it. It
 * signs out here and at the provider. Default text: "Sign out".
 */
export function SignOutButton({
  children,
  className = "lk-button",
  ...rest
}: SignOutButtonProps): ReactNode {
  const { client, text } = useWords("SignOutButton");
  const { paths, announceSignOut } = client;
  return (
    <form className="lk-form" method="post" action={paths.logout} onSubmit={announceSignOut}>
      <button className={className} {...rest} type="submit">
        {children ?? text("signOut")}
      </button>
    </form>
  );
}
