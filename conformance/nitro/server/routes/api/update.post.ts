import { defineHandler } from "nitro";

export default defineHandler(async ({ context, req }) => {
  const { theme } = (await req.json()) as { readonly theme: string };
  await context.auth.update((session) => ({ ...session, theme: "none" }));
  const session = await context.auth.update((before) => ({ ...before, theme }));
  return { theme: session?.["theme"] };
});
