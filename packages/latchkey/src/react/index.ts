"use client";
// With a star, so apps can augment `Register`.
export type * from "./client/claims.ts";
export type { Paths } from "./client/paths.ts";
export { RequestError } from "./client/request-error.ts";
export {
  createSessionClient,
  type SessionActions,
  type SessionClient,
} from "./client/session-client.ts";
export type { InitialSession, SessionState, SessionTimes } from "./client/session-state.ts";
export { followEnds } from "./client/browser/follow-ends.ts";
export {
  type SessionWatch,
  type WatchedSession,
  watchSession,
  type WatchOptions,
} from "./client/watch-session.ts";
export { AccountMenu } from "./components/account-menu/account-menu.tsx";
export { Avatar } from "./components/account-menu/avatar.tsx";
export { keepAccountMenu } from "./components/account-menu/keep-account-menu.ts";
export { OfflineBanner } from "./components/offline-banner.tsx";
export { requireSignIn } from "./components/require-sign-in.tsx";
export { SessionWarning } from "./components/session-warning/session-warning.tsx";
export { SignInLink } from "./components/sign-in-link.tsx";
export { SignInProvider } from "./components/sign-in-provider.tsx";
export { SignInTestProvider } from "./components/sign-in-test-provider.tsx";
export { SignOutButton } from "./components/sign-out-button.tsx";
export { SignedIn } from "./components/signed-in.tsx";
export { SignedOut } from "./components/signed-out.tsx";
export { useSessionTimes, type UseSessionTimesResult } from "./hooks/use-session-times.ts";
export { useSession, type UseSessionResult } from "./hooks/use-session.ts";
export { useUser } from "./hooks/use-user.ts";
export type { Words } from "./text/words.ts";
