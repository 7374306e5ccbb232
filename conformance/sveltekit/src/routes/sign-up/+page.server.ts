import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = ({ locals }) =>
  locals.auth.login({ returnTo: "/private", params: { screen_hint: "signup", max_age: 600 } });
