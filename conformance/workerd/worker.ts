import { type Auth, createAuth } from "latchkey";
import { memoryStore } from "latchkey/memory";

/** The bindings of the worker: the settings of sign-in. */
interface Bindings {
  readonly baseURL: string;
  readonly issuerBaseURL: string;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly secret: string;
}

let auth: Auth | undefined;

/** The smallest app: a public page and protected data. Settings are known to a worker with its first request. */
export default {
  fetch(request: Request, bindings: Bindings): Promise<Response> {
    const signIn = (auth ??= createAuth({ ...bindings, store: memoryStore(), publicPaths: ["/"] }));
    return signIn.respond(request, (passed) => {
      const { user } = signIn.of(passed);
      return Response.json({ path: new URL(passed.url).pathname, sub: user?.sub ?? null });
    });
  },
};
