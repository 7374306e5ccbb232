import { html } from "h3";
import { defineHandler } from "nitro";

export default defineHandler(({ context }) => {
  const { user } = context.auth.require();
  const name = user.name ?? user.sub;
  return html`Hello ${name}. <a href="/api/auth/logout">Sign out</a>`;
});
