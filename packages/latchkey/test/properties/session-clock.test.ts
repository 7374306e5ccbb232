import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createAuth, type Options } from "../../src/host/auth.ts";
import { createContext } from "../../src/host/create-context.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { cookieHeader, jarAfter } from "../browser/cookie-jar.ts";
import { goodSettings } from "../settings.ts";
import { patience, runs } from "./runs.ts";

type Step = number | "read" | "save" | "peek" | "log out";

/** Seconds between steps, often near a limit. */
const pause = fc.oneof(
  fc.constantFrom(0, 1, 86_399, 86_400, 86_401, 172_800, 604_799, 604_800, 604_801, -3600),
  fc.integer({ min: 0, max: 200_000 }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: pause },
  { weight: 3, arbitrary: fc.constant("read" as const) },
  { weight: 1, arbitrary: fc.constantFrom("save" as const, "peek" as const) },
  { weight: 1, arbitrary: fc.constant("log out" as const) },
);

interface Durations {
  readonly rolling: number | null;
  readonly absolute: number | null;
}

const durations: fc.Arbitrary<Durations> = fc.constantFrom(
  { rolling: 86_400, absolute: 604_800 },
  { rolling: null, absolute: 604_800 },
  { rolling: 86_400, absolute: null },
  { rolling: 604_800, absolute: 86_400 },
);

const start = 1_800_000_000;

/** The engine with such durations; its clock is set by the test. */
function engineWith({ rolling, absolute }: Durations, stateful: boolean) {
  let now = start;
  const clock = () => now * 1000;
  const store = memoryStore(clock);
  const options: Options = {
    ...goodSettings,
    clock,
    store,
    log: () => undefined,
    idpLogout: false,
    publicPaths: ["/x"],
    session: {
      stateful,
      rolling: rolling !== null,
      rollingDuration: rolling ?? false,
      absoluteDuration: absolute ?? false,
    },
  };
  const auth = createAuth(options);
  const { sessions, connections } = createContext(auth.config, {
    clock,
    store,
    log: () => undefined,
  });
  return {
    auth,
    signIn: () =>
      sessions.create(
        { user: { sub: "ada" } },
        { connection: connections.default, sub: "ada", sid: undefined, started: start * 1000 },
        {},
      ),
    setClock: (seconds: number) => void (now = seconds),
  };
}

type Engine = ReturnType<typeof engineWith>;

const engines = new Map<string, Engine>();

function engineFor(chosen: Durations, stateful: boolean): Engine {
  const key = JSON.stringify([chosen, stateful]);
  const engine = engines.get(key) ?? engineWith(chosen, stateful);
  engines.set(key, engine);
  return engine;
}

/** A browser signed in at {@link start}, as the engine sees it. */
async function browserOf({ auth, signIn, setClock }: Engine) {
  let now = start;
  setClock(now);
  let cookies = jarAfter((await signIn()).setCookies);
  const ask = (path: string) =>
    new Request(goodSettings.baseURL + path, { headers: { cookie: cookieHeader(cookies) } });
  return {
    pass: (seconds: number) => setClock((now += seconds)),
    async use(isSave: boolean): Promise<boolean> {
      const response = await auth.respond(ask("/x"), async (request) => {
        if (isSave) await auth.of(request).touch();
        return new Response(auth.of(request).session === null ? "signed out" : "signed in");
      });
      cookies = jarAfter(response.headers.getSetCookie(), cookies);
      return (await response.text()) === "signed in";
    },
    async isActive() {
      const peek = await auth.respond(ask("/_auth/session.json"), notFound);
      return (await peek.text()).includes('"signed-in"');
    },
    async logOut() {
      const response = await auth.respond(ask("/api/auth/logout"), notFound);
      cookies = jarAfter(response.headers.getSetCookie(), cookies);
    },
  };
}

function notFound(): Response {
  return new Response("no such page", { status: 404 });
}

/** The same browser by the rule alone. */
function modelWith({ rolling, absolute }: Durations) {
  let now = start;
  let used = start;
  let isEnded = false;
  const isActive = () =>
    !isEnded &&
    (rolling === null || now < used + rolling) &&
    (absolute === null || now < start + absolute);
  return {
    pass: (seconds: number) => void (now += seconds),
    isActive,
    hasEnded: () => isEnded,
    use(isSave: boolean): boolean {
      if (!isActive()) isEnded = true;
      else if (rolling !== null || isSave) used = now;
      return !isEnded;
    },
    logOut: () => void (isEnded = true),
  };
}

/** Returns the results of both for one step, or `null` for a step without a request. */
async function answersAt(
  each: Step,
  browser: Awaited<ReturnType<typeof browserOf>>,
  model: ReturnType<typeof modelWith>,
): Promise<readonly [boolean, boolean] | null> {
  if (typeof each === "number") {
    // An ended session is left to its browser: a clock that goes back makes it count again.
    if (each < 0 && model.hasEnded()) return null;
    browser.pass(each);
    model.pass(each);
    return null;
  }
  if (each === "log out") {
    await browser.logOut();
    model.logOut();
    return null;
  }
  if (each === "peek") return [await browser.isActive(), model.isActive()];
  const isSave = each === "save";
  return [await browser.use(isSave), model.use(isSave)];
}

test(
  "the app keeps a session active exactly until its rolling end, its absolute end or its logout, in cookies and in the store [REL-P01, ATK-034]",
  { timeout: patience },
  async () => {
    const counts = { active: 0, ended: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        durations,
        fc.boolean(),
        async (steps, chosen, stateful) => {
          const browser = await browserOf(engineFor(chosen, stateful));
          const model = modelWith(chosen);
          for (const each of steps) {
            const [found, expected] = (await answersAt(each, browser, model)) ?? [];
            if (found !== expected) return false;
            if (found !== undefined) counts[found ? "active" : "ended"] += 1;
          }
          return true;
        },
      ),
      runs,
    );
    expect(Math.min(counts.active, counts.ended)).toBeGreaterThan(runs.numRuns / 5);
  },
);
