import { html } from "h3";
import { defineHandler } from "nitro";

export default defineHandler(({ context }) => {
  const { user } = context.auth;
  const name = user?.name ?? user?.sub ?? "stranger";
  return html`Hello ${name}. <a href="/private">Private page</a>`;
});
