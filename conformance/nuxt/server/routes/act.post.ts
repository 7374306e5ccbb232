export default defineEventHandler(async ({ context }) => {
  const { user } = context.auth.require();
  console.log(`${user.sub} has acted`);
  return { name: String(user.name ?? user.sub) };
});
