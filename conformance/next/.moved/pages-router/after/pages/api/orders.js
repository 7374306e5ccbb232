import { getAccessToken, withApiAuthRequired } from "latchkey/next/compat";

export default withApiAuthRequired(async (request, response) => {
  const { accessToken } = await getAccessToken(request, response);
  response.json({ hasToken: accessToken.length > 0 });
});
