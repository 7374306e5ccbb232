import {
  requireSignIn,
  SignedIn,
  SignInProvider,
  useSignIn,
  type Seed,
  type SignIn,
} from "latchkey/react";
import type { ReactNode } from "react";

/** An app that declares its claims once. It is compiled by a test, and never run. */
interface MyClaims {
  readonly sub: string;
  readonly roles: string[];
}

declare module "latchkey/react" {
  interface Register {
    claims: MyClaims;
  }
}

export function Roles(): ReactNode {
  const me = useSignIn();
  // @ts-expect-error -- nobody is known to be here before the status is checked
  me.user.sub satisfies string;
  if (me.status !== "signed-in") return me.status === "ended" ? me.reason : null;
  // @ts-expect-error -- no such claim
  me.user.nickname satisfies string;
  return me.user.roles.join();
}

export function Other(): ReactNode {
  const me = useSignIn<{ sub: string; level: number }>();
  return me.status === "signed-in" ? me.user.level + 1 : null;
}

const Page = requireSignIn(({ user, title }: { user: MyClaims; title: string }) => (
  <h1>
    {title} {user.roles}
  </h1>
));

const seed: Seed = { user: { sub: "1", roles: [] } };

// @ts-expect-error -- a claim is missing
export const incomplete: SignIn["user"] = { sub: "1" };

export const app: ReactNode = (
  <SignInProvider initial={seed}>
    <SignedIn>{(user) => user.roles.join()}</SignedIn>
    <Page title="Orders" />
    {/* @ts-expect-error -- the page asks for a title */}
    <Page />
  </SignInProvider>
);
