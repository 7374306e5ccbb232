import {
  startTokenIssuer,
  type TokenAlgorithm,
  type TokenIssuer,
} from "../measure/token-issuer.ts";
import { above, type Figures } from "../measure/rounds.ts";
import type { ProgramName } from "../programs.ts";
import type { RunningServer, Testbed } from "../testbed.ts";
import type { Case } from "./case.ts";
import { measureRequests, requestSubject } from "./request-subject.ts";

const path = "/api/sample";
const audience = "https://api.example.com";

/** Each API, and the same host without one. */
const bareHosts = {
  "latchkey/api on node:http": "bare node:http",
  "jose.jwtVerify": "bare node:http",
  "latchkey/api on Express": "bare Express",
  "express-oauth2-jwt-bearer": "bare Express",
} as const satisfies Partial<Record<ProgramName, ProgramName>>;

const names = Object.keys(bareHosts) as (keyof typeof bareHosts)[];

/** Tokens of 800 people: a cache of some hundred would be of no use. */
const returning = 800;
/** No server remembers so many: each token is as good as never seen. */
const everNew = 30_000;

/** The cost of an access token that returns, checked with known keys [AP-057]. */
export function accessToken(algorithm: TokenAlgorithm): Case {
  return {
    name: `api-${algorithm.toLowerCase()}`,
    title: `added to an API request, ${algorithm} token`,
    unit: "µs",
    comparisons: [
      { of: "latchkey/api on node:http", to: "jose.jwtVerify", bar: 1.3 },
      { of: "latchkey/api on Express", to: "express-oauth2-jwt-bearer", bar: 0.5 },
    ],
    measure: (testbed) => measureAdded(testbed, algorithm, returning),
  };
}

/** The cost of an access token that the server has never seen. */
export const newToken: Case = {
  name: "api-new",
  title: "added to an API request, new ES256 token",
  unit: "µs",
  comparisons: [
    { of: "latchkey/api on node:http", to: "jose.jwtVerify", bar: 1.3 },
    { of: "latchkey/api on Express", to: "express-oauth2-jwt-bearer", bar: 1 },
  ],
  measure: (testbed) => measureAdded(testbed, "ES256", everNew),
};

async function measureAdded(
  testbed: Testbed,
  algorithm: TokenAlgorithm,
  tokens: number,
): Promise<Figures> {
  return withIssuer({ algorithm, tokens }, async (issuer) => {
    const hosts = [...names, "bare node:http", "bare Express"] as const;
    const subjects = [];
    for (const name of hosts) {
      const server = await start(testbed, name, { issuer, algorithm });
      subjects.push(await requestSubject(server, path));
    }
    const measured = await measureRequests(testbed, subjects);
    return new Map(names.flatMap((name) => [...addedBy(measured, name)]));
  });
}

const memoryBudgetMB = 160;

/** Resident memory of a fresh process after thousands of requests, each with a new token. */
export const newTokenMemory: Case = {
  name: "api-memory",
  title: "memory under load, new ES256 tokens",
  unit: "MB",
  comparisons: [
    { of: "latchkey/api on Express", to: "the budget", bar: 1 },
    { of: "latchkey/api on Express", to: "express-oauth2-jwt-bearer" },
  ],
  measure: (testbed) =>
    withIssuer({ algorithm: "ES256", tokens: everNew }, async (issuer) => {
      const compared = ["latchkey/api on Express", "express-oauth2-jwt-bearer"] as const;
      const figures = new Map<string, readonly number[]>([["the budget", [memoryBudgetMB]]]);
      for (const name of compared) {
        const server = await start(testbed, name, { issuer, algorithm: "ES256" });
        const subject = await requestSubject(server, path);
        await subject.work(testbed.effort.requestsEach);
        const { residentBytes } = await server.process.usage();
        figures.set(name, [residentBytes / 1e6]);
        await subject.close();
        await server.process.stop();
      }
      return figures;
    }),
};

const coldStarts = 3;

/** The first request of a process, which fetches the metadata and the keys [AP-057]. */
export const coldKeys: Case = {
  name: "api-cold",
  title: "first API request of a process",
  unit: "µs",
  comparisons: [{ of: "latchkey/api on Express", to: "express-oauth2-jwt-bearer" }],
  measure: (testbed) =>
    withIssuer({ algorithm: "ES256", tokens: returning }, async (issuer) => {
      const cold = ["latchkey/api on Express", "express-oauth2-jwt-bearer"] as const;
      const figures = new Map<string, number[]>(cold.map((name) => [name, []]));
      for (let round = 0; round < coldStarts; round += 1) {
        for (const name of round % 2 === 0 ? cold : cold.toReversed()) {
          const server = await start(testbed, name, { issuer, algorithm: "ES256" });
          const before = await server.process.usage();
          const subject = await requestSubject(server, path);
          const { cpuMicros } = await server.process.usage();
          figures.get(name)?.push(cpuMicros - before.cpuMicros);
          await subject.close();
          await server.process.stop();
        }
      }
      return figures;
    }),
};

interface Tokens {
  readonly issuer: TokenIssuer;
  readonly algorithm: TokenAlgorithm;
}

async function start(
  { startAnother }: Testbed,
  name: ProgramName,
  { issuer: { issuer, inTurn }, algorithm }: Tokens,
): Promise<RunningServer> {
  const env = { LATCHKEY_ISSUER_BASE_URL: issuer, BENCH_ALGORITHM: algorithm };
  return { ...(await startAnother(name, env)), inTurn };
}

async function withIssuer(
  { algorithm, tokens }: { readonly algorithm: TokenAlgorithm; readonly tokens: number },
  measure: (issuer: TokenIssuer) => Promise<Figures>,
): Promise<Figures> {
  const issuer = await startTokenIssuer(algorithm, audience, tokens);
  try {
    return await measure(issuer);
  } finally {
    await issuer.close();
  }
}

function addedBy(measured: Figures, name: keyof typeof bareHosts): Figures {
  const bare = bareHosts[name];
  const two = [...measured].filter(([each]) => each === name || each === bare);
  return above(new Map(two), bare);
}
