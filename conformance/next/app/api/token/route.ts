import type { NextRequest } from "next/server";
import { auth, route } from "../../../auth";

export const GET = route(async ({ nextUrl }: NextRequest) => {
  const { accessToken } = await auth();
  const refresh = nextUrl.searchParams.has("refresh");
  return Response.json({ accessToken: await accessToken({ refresh }) });
});
