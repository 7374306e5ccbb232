import { defineHandler } from "nitro";

export default defineHandler(async ({ context }) => {
  await context.auth.endDevices("all");
  return "Signed out everywhere";
});
