import { createServerFn } from "@tanstack/react-start";

/** The session for the first paint, `null` if there is none. */
export const getInitialSession = createServerFn().handler(({ context }) => {
  const { session } = context.auth;
  if (session === null) return null;
  const { sub, email } = session.user;
  const user = { sub, email: String(email) };
  return { user, times: session.times, now: Math.floor(Date.now() / 1000) };
});

/** The email of the signed-in user. Others are led to login. */
export const getEmail = createServerFn().handler(({ context }) =>
  String(context.auth.require().user.email),
);
