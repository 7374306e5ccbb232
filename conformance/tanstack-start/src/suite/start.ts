import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/tanstack-start";
import { rewrite } from "./rewrite";

const auth = authFromEnvironment();
const signIn = createMiddleware().server(({ request, next }) =>
  latchkey(auth, { request, next, rewrite }),
);
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === "serverFn" });

export const startInstance = createStart(() => ({ requestMiddleware: [signIn, csrf] }));
