import { getAccessToken, withApiAuthRequired } from "@auth0/nextjs-auth0";
import { NextResponse } from "next/server";

export const GET = withApiAuthRequired(async (request) => {
  const response = new NextResponse();
  const { accessToken } = await getAccessToken(request, response);
  return NextResponse.json({ hasToken: accessToken.length > 0 }, response);
});
