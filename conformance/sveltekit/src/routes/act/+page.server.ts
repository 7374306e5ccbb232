import type { Actions } from "./$types";

export const actions: Actions = {
  default: async ({ locals }) => {
    const { user } = locals.auth.require();
    await fetch(`${process.env["UPSTREAM"]}/acted`);
    return { name: user.name };
  },
};
