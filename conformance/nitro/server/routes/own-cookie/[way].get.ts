import { defineHandler } from "nitro";
import { getRouterParam, HTTPResponse, setCookie } from "nitro/h3";

const lines: [string, string][] = [
  ["Set-Cookie", "own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT"],
  ["Set-Cookie", 'two="a, b"; Path=/'],
];

export default defineHandler((event) => {
  const way = getRouterParam(event, "way");
  if (way === "header") return new HTTPResponse("", { headers: lines });
  if (way === "head") return new Response("", { headers: [...lines, ["Cache-Control", "public"]] });
  setCookie(event, "own", "1");
  setCookie(event, "two", "2");
  return "";
});
