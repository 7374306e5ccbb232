import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = ({ locals }) => {
  const { user } = locals.auth.require();
  return { name: user.name ?? user.sub };
};
