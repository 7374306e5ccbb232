import { getSession, updateSession, withApiAuthRequired } from "@auth0/nextjs-auth0";

export default withApiAuthRequired(async (request, response) => {
  const session = await getSession(request, response);
  const { theme } = request.body;
  await updateSession(request, response, { ...session, theme });
  response.json({ theme });
});
