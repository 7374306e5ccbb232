import { type Auth, createAuth, optionsFromEnvironment } from "latchkey";
import { memoryStore } from "latchkey/memory";

let auth: Auth | undefined;

/** Sign-in and next to nothing else: how large a worker becomes by it. */
export default {
  fetch(request: Request, bindings: Record<string, string>): Promise<Response> {
    const { options } = optionsFromEnvironment(bindings);
    const signIn = (auth ??= createAuth({ ...options, store: memoryStore() }));
    return signIn.respond(request, (passed) => {
      const { user } = signIn.of(passed).require();
      return new Response(`Hello ${user.name ?? user.sub}`);
    });
  },
};
