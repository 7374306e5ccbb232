import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/tanstack-start";

const auth = authFromEnvironment();
const signIn = createMiddleware().server(({ request, next }) => latchkey(auth, { request, next }));

// TanStack's own protection, which an app with a `start.ts` must name. The filter leaves the provider's posts alone.
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === "serverFn" });

export const startInstance = createStart(() => ({ requestMiddleware: [signIn, csrf] }));
