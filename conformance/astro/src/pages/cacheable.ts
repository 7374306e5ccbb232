import type { APIRoute } from "astro";

export const GET: APIRoute = ({ locals, url }) => {
  const name = url.searchParams.has("read") ? locals.auth.user?.name : "everybody";
  return new Response(`For ${name ?? "strangers"}`, {
    headers: { "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" },
  });
};
