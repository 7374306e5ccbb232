import { html } from "h3";
import { defineHandler } from "nitro";

export default defineHandler(({ context }) => {
  const name = context.auth.user?.email ?? "stranger";
  return html(`Hello ${name}. <a href="/private">Private page</a>`);
});
