import { getAccessToken, withApiAuthRequired } from "@auth0/nextjs-auth0";

export default withApiAuthRequired(async (request, response) => {
  const { accessToken } = await getAccessToken(request, response);
  response.json({ hasToken: accessToken.length > 0 });
});
