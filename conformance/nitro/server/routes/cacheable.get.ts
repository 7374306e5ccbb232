import { defineHandler } from "nitro";

export default defineHandler(({ context, res, url }) => {
  res.headers.set("Cache-Control", "public, max-age=600, immutable");
  res.headers.set("Vary", "Accept-Encoding");
  const name = url.searchParams.has("read") ? context.auth.user?.name : "everybody";
  return `For ${name ?? "strangers"}`;
});
