import { pages } from "@latchkey/pages";
import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/tanstack-start";

const auth = authFromEnvironment(process.env, {
  publicPaths: ["/"],
  pages: pages({ name: "Latchkey with TanStack Start" }),
});
const signIn = createMiddleware().server(({ request, next }) => latchkey(auth, { request, next }));

// An app with a `start.ts` must name TanStack's protection. The filter skips the provider's posts.
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === "serverFn" });

export const startInstance = createStart(() => ({ requestMiddleware: [signIn, csrf] }));
