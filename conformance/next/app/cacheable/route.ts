import type { NextRequest } from "next/server";
import { auth, route } from "../../auth";

export const GET = route(async ({ nextUrl }: NextRequest) => {
  const reads = nextUrl.searchParams.has("read");
  const name = reads ? (await auth()).user?.name : "everybody";
  return new Response(`For ${name ?? "strangers"}`, {
    headers: { "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" },
  });
});
