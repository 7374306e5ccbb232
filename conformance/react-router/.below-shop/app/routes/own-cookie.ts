import { createCookie } from "react-router";
import type { Route } from "./+types/own-cookie";

const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

export async function loader({ params }: Route.LoaderArgs) {
  const response = new Response("", { headers: { "Cache-Control": "public" } });
  const lines =
    params.way === "api"
      ? [await createCookie("own").serialize("1"), await createCookie("two").serialize("2")]
      : ownCookies;
  for (const line of lines) response.headers.append("Set-Cookie", line);
  return response;
}
