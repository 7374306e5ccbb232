export default defineEventHandler(async (event) => {
  const { auth: person } = event.context;
  const { theme } = await readBody<{ theme: string }>(event);
  await person.update((session) => ({ ...session, theme: "none" }));
  const session = await person.update((before) => ({ ...before, theme }));
  return { theme: session?.["theme"] as string | undefined };
});
