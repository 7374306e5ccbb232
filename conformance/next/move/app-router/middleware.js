import { withMiddlewareAuthRequired } from "@auth0/nextjs-auth0/edge";
import { NextResponse } from "next/server";

export default withMiddlewareAuthRequired((request, event) => {
  const response = NextResponse.next();
  event.waitUntil(Promise.resolve());
  response.headers.set("x-middleware-of-app", request.nextUrl.pathname);
  return response;
});

export const config = { matcher: ["/admin", "/api/auth/:first/:rest+"] };
