export default defineEventHandler((event) => {
  setResponseStatus(event, Number(getRouterParam(event, "code")));
  return null;
});
