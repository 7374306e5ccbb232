import { text } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = ({ locals }) =>
  text(`Member ${locals.auth.require().user.name}`);
