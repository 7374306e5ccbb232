const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

export default defineEventHandler((event) => {
  const way = getRouterParam(event, "way");
  if (way === "api") {
    setCookie(event, "own", "1");
    setCookie(event, "two", "2");
  } else if (way === "header") {
    for (const line of ownCookies) appendHeader(event, "Set-Cookie", line);
  } else {
    event.node.res.writeHead(200, { "Set-Cookie": ownCookies, "Cache-Control": "public" }).end();
  }
  return "";
});
