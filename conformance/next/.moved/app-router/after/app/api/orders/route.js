import { getAccessToken, withApiAuthRequired } from "latchkey/next/compat";
import { NextResponse } from "next/server";

export const GET = withApiAuthRequired(async (request) => {
  const response = new NextResponse();
  const { accessToken } = await getAccessToken(request, response);
  return NextResponse.json({ hasToken: accessToken.length > 0 }, response);
});
