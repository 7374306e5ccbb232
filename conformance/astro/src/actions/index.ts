import { defineAction } from "astro:actions";

export const server = {
  act: defineAction({
    accept: "form",
    handler: async (_input, { locals }) => {
      const { user } = locals.auth.require();
      await fetch(`${process.env["UPSTREAM"]}/acted`);
      return { name: String(user.name) };
    },
  }),
};
