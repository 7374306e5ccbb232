export default defineEventHandler(async ({ context }) => {
  const { user } = context.auth.require();
  console.log(`${user.name} has acted`);
  return { name: String(user.name) };
});
