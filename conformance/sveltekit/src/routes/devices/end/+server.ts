import { text } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const POST: RequestHandler = async ({ locals }) => {
  await locals.auth.endDevices("all");
  return text("Signed out everywhere");
};
