import { defineHandler } from "nitro";

export default defineHandler(({ context }) => {
  const { user, session } = context.auth.require();
  return { ...user, theme: session["theme"] };
});
