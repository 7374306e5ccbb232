export default defineEventHandler((event) => {
  const reads = "read" in getQuery(event);
  const name = reads ? event.context.auth.user?.name : "everybody";
  setHeader(event, "Cache-Control", "public, max-age=600, immutable");
  setHeader(event, "Vary", "Accept-Encoding");
  return `For ${name ?? "strangers"}`;
});
