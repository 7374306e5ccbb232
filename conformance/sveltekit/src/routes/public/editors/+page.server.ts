import type { PageServerLoad } from "./$types";

/** For people whom no provider knows. */
export const load: PageServerLoad = ({ locals }) => {
  const { user } = locals.auth.require({ claim: { role: "editor" } });
  return { name: user.name };
};
