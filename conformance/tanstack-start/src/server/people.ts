import { createServerFn } from "@tanstack/react-start";

/** The session for the first paint, `null` if there is none. */
export const getInitialSession = createServerFn().handler(({ context }) => {
  const { session } = context.auth;
  if (session === null) return null;
  const { sub, name = sub } = session.user;
  return { user: { sub, name }, times: session.times, now: Math.floor(Date.now() / 1000) };
});

/** The name of the signed-in user. Others are led to login. */
export const getName = createServerFn().handler(({ context }) => {
  const { user } = context.auth.require();
  return String(user.name ?? user.sub);
});

export const act = createServerFn({ method: "POST" }).handler(async ({ context }) => {
  const { user } = context.auth.require();
  console.log(`${user.sub} has acted`);
  return String(user.name ?? user.sub);
});
