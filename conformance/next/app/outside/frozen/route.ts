import { auth } from "../../../auth";

export const dynamic = "force-static";

/** Is built once, for everybody. */
export async function GET(): Promise<Response> {
  const told = await auth().then(
    () => "read",
    (error: Error) => error.message,
  );
  return new Response(told);
}
