/** What users notice when the mode changes, during a deploy and after one that is taken back. */
import { expect, test } from "vitest";

import { type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { createDevice, type Registered } from "../browser/device.ts";
import { createQuickApp, isThePage, type QuickApp } from "../worlds/quick-app.ts";
import { asDocument, type DeviceWorld, deviceWorld, deviceWorldWithStore } from "./device-world.ts";

type Mode = "off" | "observe" | "enforce";

/** One after the other, and how often a user signs in again. */
const orders: readonly (readonly [modes: readonly Mode[], signIns: number])[] = [
  [["enforce", "observe", "enforce"], 0],
  [["enforce", "observe", "off", "observe", "enforce"], 1],
  [["enforce", "off", "enforce", "off", "enforce"], 2],
  [["observe", "enforce", "observe", "off"], 0],
  [["off", "enforce", "observe", "enforce"], 0],
  [["off", "observe", "enforce"], 0],
];
const places = [
  ["the cookie", deviceWorld],
  ["a store", deviceWorldWithStore],
] as const;
const cases = places.flatMap(([place, create]) =>
  orders.map(([modes, signIns]) => [place, modes.join(", "), { create, modes, signIns }] as const),
);

test.each(cases)(
  "with sessions in %s, then %s: a sign-in only in enforce, once after each off [DB-022]",
  async (_place, _modes, { create, modes, signIns }) => {
    const world = create();
    const user = await createUser(world);
    await user.signIn(instance(world, modes[0] ?? "off"));
    for (const mode of modes) {
      const app = instance(world, mode);
      for (let loads = 0; loads < 3; loads += 1) {
        world.advance(700);
        // oxlint-disable-next-line no-await-in-loop -- one load after the other
        if (await user.loads(app)) continue;
        expect(mode).toBe("enforce");
        // oxlint-disable-next-line no-await-in-loop -- the same
        await user.signIn(app);
        // oxlint-disable-next-line no-await-in-loop -- the same
        expect(await user.loads(app)).toBe(true);
      }
    }
    expect(user.signIns()).toBe(1 + signIns);
  },
);

test.each(places)(
  "with sessions in %s, an instance without the route leads to one sign-in and no loop [DB-022]",
  async (_, create) => {
    const world = create();
    const user = await createUser(world);
    const [former, app] = [instance(world, "off"), instance(world, "enforce")];
    await user.signIn(app);
    for (let loads = 0; loads < 10; loads += 1) {
      world.advance(120);
      // oxlint-disable-next-line no-await-in-loop -- a balancer takes turns
      if (await user.loads(loads % 2 === 0 ? former : app)) continue;
      // oxlint-disable-next-line no-await-in-loop -- the same
      await user.signIn(former);
    }
    expect(user.signIns()).toBe(2);
  },
);

/** Another instance of an app, in a mode of its own. */
function instance({ app }: DeviceWorld, deviceBound: Mode): QuickApp {
  const session = { ...app.options.session, deviceBound };
  return createQuickApp({ ...app.options, session }, app.provider);
}

/** A user at a browser with a key, which does what Chromium does. */
async function createUser({ app: first }: DeviceWorld) {
  let app = first;
  let jar: Jar = {};
  let registered: Registered | null = null;
  let signIns = 0;
  const device = await createDevice({ ask: (address, init) => app.ask(address, init) });

  const keep = ({ headers }: Response) => void (jar = jarAfter(headers.getSetCookie(), jar));

  async function registerIfOffered(response: Response) {
    if (!response.headers.has("secure-session-registration")) return;
    registered = await device.register(response);
    keep(registered.response);
  }

  /** Ends what it holds after any other answer. */
  async function prove(known: Registered) {
    const answer = await device.refresh(known);
    keep(answer);
    if (answer.status !== 200) registered = null;
  }

  return {
    signIns: () => signIns,
    /** Whether a page is there at once. */
    async loads(at: QuickApp): Promise<boolean> {
      app = at;
      if (registered !== null) await prove(registered);
      const response = await app.open("/page", { jar, headers: asDocument });
      keep(response);
      await registerIfOffered(response);
      return isThePage(response);
    },
    async signIn(at: QuickApp): Promise<void> {
      app = at;
      signIns += 1;
      const { code, state, jar: begun } = await app.begin("", jar);
      const query = new URLSearchParams({ code, state }).toString();
      const init = { jar: begun, headers: asDocument };
      const callback = await app.ask(`/api/auth/callback?${query}`, init);
      jar = begun;
      keep(callback);
      await registerIfOffered(callback);
    },
  };
}
