import { auth, route } from "../../auth";

export const GET = route(async () => {
  const { user } = (await auth()).require((session) => session.user.sub === "person-ada");
  return new Response(`Editor ${user.name}`);
});
