export default defineEventHandler(async ({ context }) => {
  const { user } = context.auth.require();
  await fetch(`${process.env["UPSTREAM"]}/acted`);
  return { name: String(user.name) };
});
