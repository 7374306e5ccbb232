"use client";
export { AccountMenu, type AccountMenuProps } from "./account-menu.tsx";
export { OfflineBanner } from "./offline-banner.tsx";
export type { Paths } from "./paths.ts";
export { SignInProvider, type SignInProviderProps } from "./provider.tsx";
// With a star, so that apps can add to `Register`.
export type * from "./register.ts";
export { requireSignIn, type RequireSignInOptions } from "./require-sign-in.tsx";
export {
  createSessionClient,
  type SessionClient,
  type SessionClientOptions,
} from "./session-client.ts";
export {
  SignInError,
  type Claims,
  type EndedReason,
  type Org,
  type Peek,
  type Times,
  type WireTimes,
} from "./session-state.ts";
export { SessionWarning, type SessionWarningProps } from "./session-warning.tsx";
export { SignInLink, type SignInLinkProps } from "./sign-in-link.tsx";
export { SignOutButton, type SignOutButtonProps } from "./sign-out-button.tsx";
export { SignedIn, type SignedInProps } from "./signed-in.tsx";
export { SignedOut, type SignedOutProps } from "./signed-out.tsx";
export { SignInTestProvider, type SignInTestProviderProps } from "./test-provider.tsx";
export { useSession, type SessionInHand } from "./use-session.ts";
export { useSignIn } from "./use-sign-in.ts";
export { english, type Words } from "./words.ts";
