import type { RequestHandler } from "./$types";

const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

export const GET: RequestHandler = ({ cookies, params }) => {
  const response = new Response("", { headers: { "Cache-Control": "public" } });
  if (params.way === "api") {
    cookies.set("own", "1", { path: "/" });
    cookies.set("two", "2", { path: "/" });
  } else {
    for (const line of ownCookies) response.headers.append("Set-Cookie", line);
  }
  return response;
};
