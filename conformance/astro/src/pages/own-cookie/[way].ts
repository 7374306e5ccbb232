import type { APIRoute } from "astro";

const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

export const GET: APIRoute = ({ cookies, params }) => {
  const response = new Response("", { headers: { "Cache-Control": "public" } });
  if (params["way"] === "api") {
    cookies.set("own", "1");
    cookies.set("two", "2");
  } else {
    for (const line of ownCookies) response.headers.append("Set-Cookie", line);
  }
  return response;
};
