import type { Actions } from "./$types";

export const actions: Actions = {
  default: async ({ locals }) => {
    const { user } = locals.auth.require();
    console.log(`${user.sub} has acted`);
    return { name: user.name ?? user.sub };
  },
};
