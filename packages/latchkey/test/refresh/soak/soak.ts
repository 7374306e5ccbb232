import { setTimeout as sleep } from "node:timers/promises";

import { type RunningProvider, startProvider } from "@latchkey/provider";

import type { RefreshOutcome } from "../../../src/telemetry/log-event.ts";
import { createBrowser } from "../../browser/browser.ts";
import { cookieHeader, type Jar, jarAfter, jarOf } from "../../browser/cookie-jar.ts";
import { seededRandom } from "../../seeded-random.ts";
import { type Instances, startInstances } from "./instances.ts";

export interface SoakOptions {
  /** Address of the store, or one for each instance if they differ. */
  readonly store: string | readonly string[];
  readonly rounds: number;
  /** In each round, at the same moment. */
  readonly requests: number;
  /**
   * Remaining lifetime of the access token in seconds at the start of a round; negative if expired.
   * The rounds take the items of a list in turn.
   */
  readonly secondsLeft: number | readonly number[];
  /**
   * A fault during the requests of each round. Some requests may then fail temporarily; they are
   * repeated after the fault.
   */
  readonly trouble?: (instances: Instances) => Promise<unknown>;
}

/** What has come of it. */
export interface SoakFigures {
  readonly rounds: number;
  readonly requests: number;
  /** Calls of the token endpoint: one a round is right. */
  readonly tokenCalls: number;
  /** Calls rejected by the provider. Each one would revoke every token of the sign-in. */
  readonly refusedCalls: number;
  /** Responses without a valid token of the last round or of this one. */
  readonly wrongResponses: readonly string[];
  /** Responses with 503: a busy machine delayed the store beyond its deadline. */
  readonly unavailable: number;
  readonly outcomes: Readonly<Partial<Record<RefreshOutcome | "lease-lost", number>>>;
  readonly seconds: number;
}

const tokenLasts = 300;
const reportedAtMost = 20;

/**
 * Runs one user's requests at three instances of an app. Their access token expires again and
 * again. The provider rotates refresh tokens, and takes the second use of one for theft.
 */
export async function soak(options: SoakOptions): Promise<SoakFigures> {
  let provider: RunningProvider | undefined;
  const [store = "", ...others] = [options.store].flat();
  const settingsAt = async (baseURL: string) => {
    provider = await startProvider({ appURL: baseURL, lifetimes: { accessToken: tokenLasts } });
    const [client] = provider.clients;
    const clientSecret = client?.secret ?? "";
    return { store, issuer: provider.issuer, clientID: client?.id ?? "", clientSecret };
  };
  const instances = await startInstances(3, settingsAt, [store, ...others]);
  try {
    if (provider === undefined) throw new Error("the provider has not started");
    return await run(options, instances, provider);
  } finally {
    await instances.close();
    await provider?.close();
  }
}

async function run(
  { rounds, requests, secondsLeft, trouble }: SoakOptions,
  instances: Instances,
  provider: RunningProvider,
): Promise<SoakFigures> {
  let jar = await signIn(instances.baseURL);
  provider.clearRequests();
  const below = seededRandom(1);
  const begun = performance.now();
  const wrongResponses: string[] = [];
  let unavailable = 0;
  let known = new Set([(await ask(instances, jar, 0)).text]);
  const left = [secondsLeft].flat();
  for (let round = 0; round < rounds; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one round after the other
    await instances.advance((tokenLasts - (left[round % left.length] ?? 0)) * 1000);
    const troubled = trouble?.(instances);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const responses = await Promise.all(
      Array.from({ length: requests }, (_, index) => ask(instances, jar, round + index)),
    );
    // oxlint-disable-next-line no-await-in-loop -- see above
    await troubled;
    for (const { setCookies } of shuffled(responses, below)) jar = jarAfter(setCookies, jar);
    const isExpected = trouble === undefined ? isUnavailable : isForLater;
    const wrong = responses.filter((each) => !isGood(each) && !isExpected(each));
    unavailable += responses.filter(isUnavailable).length;
    wrongResponses.push(...wrong.map(({ status, text }) => `${status} ${text.slice(0, 100)}`));
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (trouble !== undefined) responses.push(await askUntilGood(instances, jar, round));
    for (const { setCookies } of responses.slice(requests)) jar = jarAfter(setCookies, jar);
    const tokens = responses.filter(isGood).map(({ text }) => text);
    const fresh = new Set(tokens.filter((text) => !known.has(text)));
    if (fresh.size !== 1) wrongResponses.push(`${fresh.size} new tokens in round ${round}`);
    known = fresh;
    // What was lost once stays lost.
    if (wrongResponses.length >= reportedAtMost) break;
  }
  const calls = provider.requests.filter(({ path }) => path === "/token");
  return {
    rounds,
    requests: rounds * requests,
    tokenCalls: calls.length,
    refusedCalls: calls.filter(({ status }) => status >= 400).length,
    wrongResponses,
    unavailable,
    outcomes: Object.fromEntries(instances.outcomes),
    seconds: (performance.now() - begun) / 1000,
  };
}

async function signIn(baseURL: string): Promise<Jar> {
  const browser = createBrowser(baseURL);
  await browser.signIn("/");
  return jarOf(await browser.cookies());
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly setCookies: readonly string[];
}

async function ask({ origins }: Instances, jar: Jar, turn: number): Promise<Answer> {
  const response = await fetch(`${origins[turn % origins.length]}/`, {
    headers: { cookie: cookieHeader(jar) },
    redirect: "manual",
  });
  const setCookies = response.headers.getSetCookie();
  return { status: response.status, text: await response.text(), setCookies };
}

const isGood = ({ status, text }: Answer) => status === 200 && !text.startsWith("ERR_");

const isUnavailable = ({ status }: Answer) => status === 503;

/**
 * Whether the store was unavailable or another instance is refreshing the token: nothing is lost.
 */
const isForLater = (answer: Answer) =>
  isUnavailable(answer) ||
  answer.text === "ERR_REFRESH_UNDER_WAY" ||
  answer.text === "ERR_STORE_UNAVAILABLE";

/** A lease whose owner was lost ends after 13 seconds. */
const triesAtMost = 60;

async function askUntilGood(
  instances: Instances,
  jar: Jar,
  round: number,
  triesLeft = triesAtMost,
): Promise<Answer> {
  const answer = await ask(instances, jar, round + triesLeft);
  if (isGood(answer) || triesLeft === 0) return answer;
  await sleep(250);
  return askUntilGood(instances, jar, round, triesLeft - 1);
}

/** The responses in the order in which they reach the browser. */
function shuffled<T>(items: readonly T[], below: (bound: number) => number): readonly T[] {
  return items
    .map((item) => ({ item, place: below(1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
