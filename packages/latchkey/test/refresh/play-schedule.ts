import { accessTokenFor } from "../../src/refresh/access-token.ts";
import { createExchange, type Exchange } from "../../src/request/exchange.ts";
import { revokeTokens } from "../../src/ends/revoke-tokens.ts";
import { endSession } from "../../src/ends/end-session.ts";
import { readConfig } from "../../src/config/config.ts";
import type { Context } from "../../src/context.ts";
import { createContext } from "../../src/host/create-context.ts";
import type { HostRequest } from "../../src/http/auth-request.ts";
import { cookieHeader, type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { goodSettings } from "../settings.ts";
import type { TokenFamily } from "./rotating-provider.ts";
import {
  accessTokenLasts,
  createScheduleWorld,
  type Plan,
  type ScheduleWorld,
} from "./schedule-world.ts";

/** Plays one schedule to its end, and returns what did not hold. */
export async function playSchedule(plan: Plan): Promise<readonly string[]> {
  const world = createScheduleWorld(plan);
  await world.time.runUntil(play(world));
  return world.broken;
}

async function play(world: ScheduleWorld): Promise<void> {
  const { time, below, isChance } = world;
  const family = await signIn(world);
  const copies = [world.jar];
  const requests = Array.from({ length: world.plan.requests ?? 2 + below(5) }, async () => {
    await time.wait(below(4) * below(100));
    copies.push(world.jar);
    return request(world, isChance(75) ? "token" : "page");
  });
  /** A request whose engine dies never ends. */
  const orDead = (result: Promise<string>) => Promise.race([result, time.wait(20_000)]);
  const [, ...results] = await Promise.all([misfortune(world), ...requests.map(orDead)]);
  await time.wait(30_000);
  if (world.plan.fault === "the person signs out") await checkEnded(world, family, copies);
  else await checkAlive(world, family, results);
}

async function signIn(world: ScheduleWorld): Promise<TokenFamily> {
  const { time, below, provider } = world;
  const { refreshToken, family } = provider.signIn();
  const left = [-5, 5, 30, 55][below(4)] ?? 0;
  const data = {
    user: { sub: "ada" },
    accessToken: refreshToken.replace("rt", "at"),
    accessTokenExpiresAt: Math.floor(time.now() / 1000) + left,
    refreshToken,
  };
  const facts = { sub: "ada", sid: undefined, started: time.now() };
  const { sessions, connections } = world.plan.isMoving
    ? contextWithoutStore(world)
    : firstContext(world);
  world.jar = jarAfter(
    (await sessions.create(data, { connection: connections.default, ...facts }, {})).setCookies,
  );
  return family;
}

function contextWithoutStore({ time }: ScheduleWorld): Context {
  return createContext(readConfig(goodSettings, { hasStore: false }), {
    store: null,
    clock: time.now,
    log: () => undefined,
  });
}

function firstContext({ engines: [engine] }: ScheduleWorld): Context {
  if (engine === undefined) throw new Error("there is no engine");
  return engine.context;
}

type Work = "token" | "page" | "logout";

/** What a request comes to: a token, the state of the session, or the code of an error. */
async function request(world: ScheduleWorld, work: Work): Promise<string> {
  const { time, below, isChance, engines, plan } = world;
  const alive = engines.filter(({ isDead }) => !isDead);
  const engine = alive[below(alive.length)];
  if (engine === undefined) throw new Error("all engines are dead");
  const exchange = createExchange(engine.context, requestWith(world.jar));
  const result = await doWork(world, work, { context: engine.context, exchange }).catch(codeOf);
  const headers = exchange.commit().filter(([name]) => name === "Set-Cookie");
  const isLost = plan.fault === "cookies are lost" && isChance(30);
  await time.wait(isChance(20) ? below(3000) : below(30));
  const lines = headers.map(([, line]) => line);
  if (!isLost && !engine.isDead) world.jar = jarAfter(lines, world.jar);
  return result;
}

async function doWork(
  { time, below, isChance }: ScheduleWorld,
  work: Work,
  { context, exchange }: { readonly context: Context; readonly exchange: Exchange },
): Promise<string> {
  if (work === "token") return accessTokenFor(context, exchange, { refresh: isChance(5) });
  const found = await exchange.use();
  if (work === "page") await time.wait(isChance(20) ? below(5000) : below(200));
  if (work === "logout" && found.state === "active") {
    revokeTokens(context, await endSession(context, exchange));
  }
  return found.state;
}

async function misfortune(world: ScheduleWorld): Promise<void> {
  const { time, below, store, engines, plan } = world;
  await time.wait(below(150));
  const [engine] = engines;
  if (plan.fault === "an engine dies" && engine !== undefined) engine.isDead = true;
  if (plan.fault === "the person signs out") await request(world, "logout");
  if (plan.fault !== "the lease is deleted") return;
  for (const { key } of await textsUnder(world, "refresh|")) await store.delete(key);
}

/**
 * Checks that no user is signed out, each token is spent once, and later requests work, as far as
 * the fault allows.
 */
async function checkAlive(
  world: ScheduleWorld,
  family: TokenFamily,
  results: readonly (string | void)[],
): Promise<void> {
  const { broken, plan, isSlow, isChance, time } = world;
  const mayLose = await isLossAllowed(world, family);
  const mayTakeLong = isSlow || mayLose || plan.fault === "an engine dies";
  for (const result of results) {
    const isFine = result === undefined || /^(?:at\.|active)/.test(result);
    const isReported =
      mayLose && /^ERR_(?:FAILED_REFRESH_GRANT|EXPIRED|MISSING_REFRESH)/.test(result ?? "");
    const isLong = mayTakeLong && result === "ERR_REFRESH_UNDER_WAY";
    if (!isFine && !isReported && !isLong) broken.push(`a request got ${result}`);
  }
  const usesAtMost = plan.fault.startsWith("an answer is lost") ? 2 : 1;
  if (!mayLose && family.uses.some((uses) => uses > usesAtMost)) broken.push("spent twice");
  if (!mayLose && family.isRevoked) broken.push("the family is revoked");
  time.advance((isChance(50) ? accessTokenLasts : 10_000) * 1000);
  const later = await request(world, "token");
  const expected = mayLose ? /^(?:at\.|ERR_FAILED|ERR_EXPIRED)/ : /^at\./;
  if (!expected.test(later)) broken.push(`later: ${later}`);
  const page = await request(world, "page");
  if (page !== "active") broken.push(`the person is signed out: ${page}`);
}

/**
 * Without grace, tokens are lost if the response to a refresh was lost, or two requests sent the
 * same token.
 */
async function isLossAllowed(world: ScheduleWorld, family: TokenFamily): Promise<boolean> {
  const { plan, hasGrace, newestSaved } = world;
  if (plan.fault === "an answer is lost") return !hasGrace;
  if (plan.fault === "the lease is deleted") return true;
  return plan.fault === "an engine dies" && newestSaved() < family.newest;
}

/** Neither the browser nor a copy of its cookies is signed in, and no token lives on. */
async function checkEnded(
  world: ScheduleWorld,
  family: TokenFamily,
  copies: readonly Jar[],
): Promise<void> {
  const { broken } = world;
  for (const jar of [world.jar, ...copies]) {
    world.jar = jar;
    // oxlint-disable-next-line no-await-in-loop -- each with cookies of its own
    if ((await request(world, "page")) === "active") broken.push("a session survives its end");
  }
  if ((await textsUnder(world, "session|")).length > 0) broken.push("a record is left");
  if (!family.returned.has(family.newest)) broken.push("the newest token lives on");
}

async function textsUnder({ store, keys }: ScheduleWorld, prefix: string) {
  const named = [...keys].filter((key) => key.startsWith(prefix));
  const texts = await store.get(named);
  return named.flatMap((key, place) => {
    const text = texts[place] ?? null;
    return text === null ? [] : [{ key, text }];
  });
}

function requestWith(jar: Jar): HostRequest {
  const cookie = cookieHeader(jar);
  return {
    method: "GET",
    url: `${goodSettings.baseURL}/`,
    target: "/",
    headers: { get: (name) => (name === "cookie" ? cookie : null) },
    body: async () => null,
  };
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return String(error);
  return "reason" in error ? `${String(error.code)} ${String(error.reason)}` : String(error.code);
}
