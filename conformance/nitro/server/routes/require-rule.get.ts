import { defineHandler } from "nitro";

export default defineHandler(({ context }) => {
  const { user } = context.auth.require((session) => session.user.sub === "person-ada");
  return `Editor ${user.name ?? user.sub}`;
});
