import { AccessTokenError, getAccessToken } from "@auth0/nextjs-auth0";

export default async function token(request, response) {
  try {
    response.json(await getAccessToken(request, response));
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    response.status(error.status || 500).json({ code: error.code });
  }
}
