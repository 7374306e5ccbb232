import { createRootRoute, HeadContent, Outlet, Scripts } from "@tanstack/react-router";
import { SignInProvider } from "latchkey/react";
import { getInitialSession } from "../server/people";

export const Route = createRootRoute({
  head: () => ({ meta: [{ charSet: "utf-8" }, { title: "Fixture" }] }),
  loader: () => getInitialSession(),
  component: Root,
  notFoundComponent: () => <h1>No such page</h1>,
  errorComponent: () => <h1>Sorry, that broke</h1>,
});

function Root() {
  const initialSession = Route.useLoaderData();
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <SignInProvider initialSession={initialSession}>
          <Outlet />
        </SignInProvider>
        <Scripts />
      </body>
    </html>
  );
}
