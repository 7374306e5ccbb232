import { createRootRoute, HeadContent, Outlet, Scripts } from "@tanstack/react-router";
import { SignInProvider } from "latchkey/react";
import { getInitialSession } from "../server/users";

export const Route = createRootRoute({
  head: () => ({
    meta: [{ charSet: "utf-8" }, { title: "Latchkey with TanStack Start" }],
    links: [{ rel: "icon", href: "data:," }],
  }),
  loader: () => getInitialSession(),
  component: Root,
  notFoundComponent: () => <h1>No such page</h1>,
});

function Root() {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <SignInProvider initialSession={Route.useLoaderData()}>
          <Outlet />
        </SignInProvider>
        <Scripts />
      </body>
    </html>
  );
}
