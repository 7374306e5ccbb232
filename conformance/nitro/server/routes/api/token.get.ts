import { defineHandler } from "nitro";

export default defineHandler(async ({ context, url }) => {
  const refresh = url.searchParams.has("refresh");
  return { accessToken: await context.auth.accessToken({ refresh }) };
});
