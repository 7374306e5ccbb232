import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { useWords } from "../hooks/use-words.ts";

export type SignOutButtonProps = Omit<ComponentPropsWithoutRef<"button">, "type">;

/** A form that posts to the logout route: it works without scripts, and no prefetch can set it off. */
export function SignOutButton({ children, ...rest }: SignOutButtonProps): ReactNode {
  const { client, text } = useWords("SignOutButton");
  return (
    <form className="lk-form" method="post" action={client.paths.logout} onSubmit={client.leaving}>
      <button className="lk-button" {...rest} type="submit">
        {children ?? text("signOut")}
      </button>
    </form>
  );
}
