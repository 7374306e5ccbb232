import { cookies } from "next/headers";
import { route } from "../../../auth";

const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

type Context = { readonly params: Promise<{ readonly way: string }> };

export const GET = route(async (_request: Request, { params }: Context) => {
  const response = new Response("", { headers: { "Cache-Control": "public" } });
  if ((await params).way === "api") {
    const jar = await cookies();
    jar.set("own", "1").set("two", "2");
  } else {
    for (const line of ownCookies) response.headers.append("Set-Cookie", line);
  }
  return response;
});
