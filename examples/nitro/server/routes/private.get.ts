import { html } from "h3";
import { defineHandler } from "nitro";

export default defineHandler(({ context }) => {
  const { user } = context.auth.require();
  return html(`Hello ${user.email}. <a href="/api/auth/logout">Sign out</a>`);
});
