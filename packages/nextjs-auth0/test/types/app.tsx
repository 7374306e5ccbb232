import { useUser, withPageAuthRequired, type UserProfile } from "@latchkey/nextjs-auth0/client";
import type { ReactNode } from "react";

/** Pages of an app that comes from nextjs-auth0. They are compiled, and never run. */
export const Plain = withPageAuthRequired(({ user }) => {
  // @ts-expect-error -- the type of `user` is known
  user.name satisfies number;
  return <p>{user.name}</p>;
});

export const WithProps = withPageAuthRequired(
  ({ user, title }: { user: UserProfile; title: string }) => (
    <h1>
      {title} {user.email}
    </h1>
  ),
);

export function Caller(): ReactNode {
  const { user, error, isLoading } = useUser();
  if (isLoading || error) return error?.message;
  return (
    <>
      {user?.nickname}
      <Plain />
      <WithProps title="Orders" />
      {/* @ts-expect-error -- the page wants a title */}
      <WithProps />
    </>
  );
}
