import { defineAction } from "astro:actions";

export const server = {
  act: defineAction({
    accept: "form",
    handler: async (_input, { locals }) => {
      const { user } = locals.auth.require();
      console.log(`${user.sub} has acted`);
      return { name: String(user.name ?? user.sub) };
    },
  }),
};
