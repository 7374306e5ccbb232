import { getSession, updateSession, withApiAuthRequired } from "latchkey/next/compat";

export const POST = withApiAuthRequired(async (request) => {
  const session = await getSession();
  const { theme } = await request.json();
  await updateSession({ ...session, theme });
  return Response.json({ theme });
});
