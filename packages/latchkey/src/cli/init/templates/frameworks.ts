/** The files that `init` writes. The guides show the same ones; a test compares them. */

export const nextAuth = `import { latchkey } from "latchkey/next";

export const { auth, initialSession, proxy, route } = latchkey();
`;

export const nextProxy = `export { proxy } from "./auth";
`;

export const nextMiddleware = `export { proxy as middleware } from "./auth";
export const config = { runtime: "nodejs" };
`;

export const svelteKitHooks = `import { building } from "$app/env";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/sveltekit";

export const handle = latchkey(authFromEnvironment(), { building });
`;

/** Above the setting that turns the check of SvelteKit or Astro off. */
export const sameCheck = `// Sign-in makes the same check, for all addresses but its own, to which the provider posts.
`;

export const nuxtPlugin = `import { authFromEnvironment } from "latchkey/node";
import { latchkeyPlugin } from "latchkey/nuxt";

const auth = authFromEnvironment();

export default defineNitroPlugin(latchkeyPlugin(auth, { prerender: import.meta.prerender }));
`;

export const nuxtTypes = `// The type of \`event.context.auth\`, in pages as on the server.
export type { Middleware } from "latchkey/nuxt";
`;

export const nuxtClientPlugin = `// After the session has ended, data leads to login, and back to the page.
import { followSignIn } from "latchkey/nuxt/client";

export default defineNuxtPlugin(followSignIn);
`;

export const reactRouterImports = `import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/react-router";
`;

export const reactRouterMiddleware = `export const middleware: Route.MiddlewareFunction[] = [latchkey(authFromEnvironment())];
`;

export const reactRouterRoutes = `  route("api/auth/*", "routes/sign-in.ts", { id: "auth" }),
  route("_auth/*", "routes/sign-in.ts", { id: "auth-pages" }),
`;

export const reactRouterSignIn = `/** No component: so React Router lets the provider post to it. */
export const loader = () => null;
export const action = () => null;
`;

export const astroMiddleware = `import { latchkey } from "latchkey/astro";
import { authFromEnvironment } from "latchkey/node";

export const onRequest = latchkey(authFromEnvironment());
`;

export const nitroPlugin = `import { latchkeyPlugin } from "latchkey/h3";
import { authFromEnvironment } from "latchkey/node";
import { definePlugin } from "nitro";

export default definePlugin(
  latchkeyPlugin(authFromEnvironment(), { prerender: import.meta.prerender }),
);
`;

export const tanStackStart = `import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/tanstack-start";

const auth = authFromEnvironment();
const signIn = createMiddleware().server(({ request, next }) => latchkey(auth, { request, next }));

// An app with a \`start.ts\` must name TanStack's protection. The filter skips the provider's posts.
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === "serverFn" });

export const startInstance = createStart(() => ({ requestMiddleware: [signIn, csrf] }));
`;
