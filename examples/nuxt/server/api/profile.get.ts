export default defineEventHandler(({ context }) => {
  const { user } = context.auth.require();
  return { email: String(user.email) };
});
