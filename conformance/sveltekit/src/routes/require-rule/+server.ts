import { text } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = ({ locals }) => {
  const { user } = locals.auth.require((session) => session.user.sub === "person-ada");
  return text(`Editor ${user.name}`);
};
