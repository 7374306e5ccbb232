import { auth, route } from "../../../auth";

export const POST = route(async (request: Request) => {
  const { update } = await auth();
  const { theme } = (await request.json()) as { theme: string };
  await update((session) => ({ ...session, theme: "none" }));
  const session = await update((before) => ({ ...before, theme }));
  return Response.json({ theme: session?.["theme"] });
});
