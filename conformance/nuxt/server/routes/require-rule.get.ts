export default defineEventHandler(({ context }) => {
  const { user } = context.auth.require((session) => session.user.sub === "person-ada");
  return `Editor ${user.name}`;
});
