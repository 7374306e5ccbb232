export default defineEventHandler(async ({ context }) => {
  await context.auth.endDevices("all");
  return "Signed out everywhere";
});
