import { withMiddlewareAuthRequired } from "@auth0/nextjs-auth0/edge";
import { type NextFetchEvent, type NextRequest, NextResponse } from "next/server";

const guard = withMiddlewareAuthRequired({
  returnTo: (request: NextRequest) => request.nextUrl.pathname,
  middleware(request: NextRequest, event: NextFetchEvent) {
    event.waitUntil(Promise.resolve(request.cookies.size));
    return NextResponse.next();
  },
});

export default function middleware(request: NextRequest, event: NextFetchEvent) {
  return guard(request, event);
}

export const config = { matcher: ["/admin"] };
