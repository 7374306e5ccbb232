export default defineEventHandler(({ context }) => {
  const { user } = context.auth.require();
  return { name: String(user.name ?? user.sub) };
});
