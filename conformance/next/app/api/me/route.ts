import { auth, route } from "../../../auth";

export const GET = route(async () => {
  const { user, session } = (await auth()).require();
  return Response.json({ ...user, theme: session["theme"] });
});
