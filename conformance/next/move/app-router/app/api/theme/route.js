import { getSession, updateSession, withApiAuthRequired } from "@auth0/nextjs-auth0";

export const POST = withApiAuthRequired(async (request) => {
  const session = await getSession();
  const { theme } = await request.json();
  await updateSession({ ...session, theme });
  return Response.json({ theme });
});
