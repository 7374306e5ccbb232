import { createAuth, type Options } from "latchkey";
import { signedInCookies } from "latchkey/testing";

import { cookieHeader, jarAfter } from "../../packages/latchkey/test/browser/cookie-jar.ts";
import { createDevice } from "../../packages/latchkey/test/browser/device.ts";
import { pageHeaders } from "../measure/browser-headers.ts";
import { person } from "../measure/person.ts";
import { above, cpuTimeByRound, type Subject } from "../measure/rounds.ts";
import type { Case } from "./case.ts";

const baseURL = "https://app.example";
const users = 50;
const budgetMicros = 15;
const without = "without the setting";

/** What a bound session costs, in this process and without a host [DB-020]. */
export const boundSession: Case = {
  name: "bound-session",
  title: "added to a read by session.deviceBound",
  unit: "µs",
  comparisons: [
    { of: "a bound session", to: "the budget", bar: 1 },
    { of: "a session without a key", to: "the budget", bar: 0.5 },
  ],
  async measure({ effort }) {
    const [off, on] = [createApp("off"), createApp("enforce")];
    // Afterwards: a session that is due is sealed again, which would be measured too.
    const bound = await bind(on);
    const plain = await signIn(on);
    const measured = await cpuTimeByRound(
      [
        reads(without, off, await signIn(off)),
        reads("a session without a key", on, plain),
        reads("a bound session", on, bound),
      ],
      effort,
    );
    const budget = Array.from({ length: effort.rounds }, () => budgetMicros);
    return new Map([...above(measured, without), ["the budget", budget]]);
  },
};

type App = ReturnType<typeof createApp>;

function createApp(deviceBound: "off" | "enforce") {
  let now = Date.now();
  const options: Options = {
    baseURL,
    issuerBaseURL: "https://op.example",
    clientID: "bench",
    clientSecret: "bench-client-secret-0123456789abcdef",
    secret: "a-secret-of-the-benchmark-0123456789abcdefghij",
    session: { deviceBound },
    clock: () => now,
    log: () => undefined,
  };
  const auth = createAuth(options);
  const send = (target: string, init: RequestInit) =>
    auth.respond(new Request(new URL(target, baseURL), init), () => new Response("page"));
  return { options, send, advance: (seconds: number) => void (now += seconds * 1000) };
}

/** `Cookie` headers of users. */
function signIn({ options }: App): Promise<readonly string[]> {
  const sessionOf = (number: number) => ({ user: { ...person, sub: `person-${number}` } });
  return Promise.all(
    Array.from({ length: users }, (_, number) =>
      signedInCookies({ options, session: sessionOf(number) }),
    ),
  );
}

/** Binds sessions to a device each, and lets the time pass after which each read needs a proof. */
async function bind(app: App): Promise<readonly string[]> {
  const cookies = await signIn(app);
  // A page offers a key when it seals its session again.
  app.advance(3700);
  const bound = await Promise.all(cookies.map((cookie) => bindOne(app, cookie)));
  app.advance(61);
  return bound;
}

async function bindOne({ send }: App, cookie: string): Promise<string> {
  const open = (cookies: string) =>
    send("/page", { headers: { ...pageHeaders(baseURL), cookie: cookies } });
  const offer = await open(cookie);
  const session = jarAfter(offer.headers.getSetCookie());
  const device = await createDevice({
    ask: (target, { method = "GET", headers = {} } = {}) => send(target, { method, headers }),
  });
  const { jar } = await device.register(offer);
  const first = await open(cookieHeader({ ...session, ...jar }));
  return cookieHeader({ ...session, ...jarAfter(first.headers.getSetCookie()), ...jar });
}

function reads(name: string, { send }: App, cookies: readonly string[]): Subject {
  const all = cookies.map((cookie) => ({ ...pageHeaders(baseURL), cookie }));
  return {
    name,
    cpuMicros: () => {
      const { user, system } = process.cpuUsage();
      return Promise.resolve(user + system);
    },
    async work(count) {
      for (let place = 0; place < count; place += 1) {
        const headers = all[place % users] ?? {};
        // oxlint-disable-next-line no-await-in-loop -- one request after the other is measured
        const { status } = await send("/page", { headers });
        if (status !== 200) throw new Error(`${name} was answered ${status}`);
      }
    },
  };
}
