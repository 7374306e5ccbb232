/** A session that this version has bound to a device, at a former version. */
import {
  asDocument,
  deviceWorld,
  deviceWorldWithStore,
} from "../packages/latchkey/test/sessions/device-world.ts";
import { cookieHeader, type Jar, jarAfter } from "../packages/latchkey/test/browser/cookie-jar.ts";

/**
 * The former version reads and renews the session; afterwards it is bound as before.
 *
 * @param former - the folder of that version, with its dependencies
 * @returns what holds
 */
export async function checkBoundSession(
  former: string,
  isStateful: boolean,
): Promise<Readonly<Record<string, boolean>>> {
  const { createAuth } = await import(`${former}/packages/latchkey/src/index.ts`);
  const world = isStateful ? deviceWorldWithStore() : deviceWorld();
  const { session, renew } = await world.bound();
  const { session: _former, ...options } = world.app.options;
  const auth = createAuth({ ...options, session: { stateful: isStateful } });
  world.advance(3600);
  const url = `${world.app.baseURL}/page`;
  const request = new Request(url, { headers: { cookie: cookieHeader(session), ...asDocument } });
  const response: Response = await auth.respond(request, () => new Response("page"));
  const renewed: Jar = jarAfter(response.headers.getSetCookie(), session);
  world.advance(3600);
  return {
    "a former version reads it": response.status === 200,
    "a former version renews it": response.headers.getSetCookie().length > 0,
    "afterwards a copy is refused": !(await world.open(renewed)).isPage,
    "afterwards its owner goes on": (await world.open({ ...renewed, ...(await renew()) })).isPage,
  };
}
