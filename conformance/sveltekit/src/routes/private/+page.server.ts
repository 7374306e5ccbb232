import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = ({ locals }) => ({ name: locals.auth.require().user.name });
