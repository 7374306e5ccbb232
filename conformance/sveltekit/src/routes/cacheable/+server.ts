import { text } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = ({ locals, url }) => {
  const name = url.searchParams.has("read") ? locals.auth.user?.name : "everybody";
  return text(`For ${name ?? "strangers"}`, {
    headers: { "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" },
  });
};
