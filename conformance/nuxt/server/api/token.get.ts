export default defineEventHandler(async (event) => {
  const refresh = "refresh" in getQuery(event);
  return { accessToken: await event.context.auth.accessToken({ refresh }) };
});
