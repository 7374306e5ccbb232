import { withMiddlewareAuthRequired } from "@auth0/nextjs-auth0/edge";

const guard = withMiddlewareAuthRequired();

export default async function middleware(request, event) {
  const response = await guard(request, event);
  response?.cookies.set("seen-by-app", "1");
  return response;
}

export const config = { matcher: ["/admin", "/api/callback", "/api/auth/:first/:rest+"] };
