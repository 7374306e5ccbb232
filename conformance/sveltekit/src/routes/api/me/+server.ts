import { json } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = ({ locals }) => {
  const { user, session } = locals.auth.require();
  return json({ ...user, theme: session["theme"] });
};
