import { pages } from "@latchkey/pages";
import { authFromEnvironment } from "latchkey/node";
import { authContext, latchkey } from "latchkey/react-router";
import { SignInProvider } from "latchkey/react";
import "latchkey/react/styles.css";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import type { Route } from "./+types/root";

const auth = authFromEnvironment(process.env, {
  publicPaths: ["/"],
  pages: pages({ name: "Latchkey with React Router" }),
});

export const middleware: Route.MiddlewareFunction[] = [latchkey(auth)];

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
        <title>Latchkey with React Router</title>
        <link rel="icon" href="data:," />
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
