"use client";
export { AccountMenu, type AccountMenuProps } from "./components/account-menu/account-menu.tsx";
export { OfflineBanner } from "./components/offline-banner.tsx";
export type { Paths } from "./client/paths.ts";
export { SignInProvider, type SignInProviderProps } from "./components/sign-in-provider.tsx";
// With a star, so that apps can add to `Register`.
export type * from "./client/register.ts";
export { requireSignIn, type RequireSignInOptions } from "./components/require-sign-in.tsx";
export {
  createSessionClient,
  type SessionClient,
  type SessionClientOptions,
} from "./client/session-client.ts";
export {
  SignInError,
  type Claims,
  type EndedReason,
  type Org,
  type Peek,
  type Times,
  type WireTimes,
} from "./client/session-state.ts";
export {
  SessionWarning,
  type SessionWarningProps,
} from "./components/session-warning/session-warning.tsx";
export { SignInLink, type SignInLinkProps } from "./components/sign-in-link.tsx";
export { SignOutButton, type SignOutButtonProps } from "./components/sign-out-button.tsx";
export { SignedIn, type SignedInProps } from "./components/signed-in.tsx";
export { SignedOut, type SignedOutProps } from "./components/signed-out.tsx";
export {
  SignInTestProvider,
  type SignInTestProviderProps,
} from "./components/sign-in-test-provider.tsx";
export { useSession, type SessionInHand } from "./hooks/use-session.ts";
export { useSignIn } from "./hooks/use-sign-in.ts";
export { english, type Words } from "./text/words.ts";
