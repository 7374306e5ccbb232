import { authFromEnvironment } from "latchkey/node";
import { authContext, latchkey } from "latchkey/react-router";
import { SignInProvider } from "latchkey/react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import type { Route } from "./+types/root";

export const middleware: Route.MiddlewareFunction[] = [latchkey(authFromEnvironment())];

export function loader({ context }: Route.LoaderArgs) {
  const { session } = context.get(authContext);
  if (session === null) return { initialSession: null };
  const { user, times } = session;
  return { initialSession: { user, times, now: Math.floor(Date.now() / 1000) } };
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>
        <SignInProvider initialSession={loaderData.initialSession}>
          <Outlet />
        </SignInProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}
