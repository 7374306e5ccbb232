export default defineEventHandler(({ context }) => {
  const { user, session } = context.auth.require();
  return { name: String(user.name), sub: user.sub, theme: session["theme"] as string | undefined };
});
