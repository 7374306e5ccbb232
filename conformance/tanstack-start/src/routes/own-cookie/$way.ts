import { createFileRoute } from "@tanstack/react-router";
import { setCookie } from "@tanstack/react-start/server";

const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

export const Route = createFileRoute("/own-cookie/$way")({
  server: {
    handlers: {
      GET: ({ params }) => {
        const response = new Response("", { headers: { "Cache-Control": "public" } });
        if (params.way === "api") {
          setCookie("own", "1");
          setCookie("two", "2");
        } else {
          for (const line of ownCookies) response.headers.append("Set-Cookie", line);
        }
        return response;
      },
    },
  },
});
