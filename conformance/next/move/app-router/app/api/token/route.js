import { AccessTokenError, getAccessToken } from "@auth0/nextjs-auth0";

export async function GET() {
  try {
    return Response.json(await getAccessToken());
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return Response.json({ code: error.code }, { status: error.status || 500 });
  }
}
