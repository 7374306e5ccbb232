import type { RequestAuth } from "latchkey";
import { authContext } from "latchkey/react-router";
import { setTimeout as pause } from "node:timers/promises";
import { Suspense } from "react";
import { Await } from "react-router";
import type { Route } from "./+types/streamed";

export const headers = () => ({ "Cache-Control": "public, max-age=600" });

/** The page is sent before the name is there. */
export const loader = ({ context }: Route.LoaderArgs) => ({
  name: nameOf(context.get(authContext)),
});

async function nameOf(auth: RequestAuth): Promise<string> {
  await pause(100);
  return auth.user?.name ?? "a stranger";
}

export default function Streamed({ loaderData }: Route.ComponentProps) {
  return (
    <Suspense fallback={<h1>Wait</h1>}>
      <Await resolve={loaderData.name}>{(name) => <h1>{`Sent to ${name}`}</h1>}</Await>
    </Suspense>
  );
}
