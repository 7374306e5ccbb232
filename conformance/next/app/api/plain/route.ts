import { auth } from "../../../auth";

/** Without `route()`: Next makes the responses of what is thrown, and sets the cookies. */
export async function GET() {
  const { user, update } = (await auth()).require();
  await update((session) => ({ ...session, theme: "plain" }));
  return new Response(`Plain ${user.name}`, {
    headers: { "Cache-Control": "public, max-age=600" },
  });
}
