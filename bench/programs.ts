import path from "node:path";

import { appOptions } from "../tools/start/dev-processes.ts";

export interface SignInPaths {
  readonly login: string;
  readonly callback: string;
}

/** A server that is measured. */
export interface Program {
  /** Absolute path. */
  readonly file: string;
  /** Absent if the server has no sign-in. */
  readonly signIn?: SignInPaths;
  /** Whether the server reads the session cookies of the benchmark. */
  readonly isOurs?: boolean;
  /** Options of Node itself. */
  readonly nodeArguments?: readonly string[];
  /** In addition to provider, client, address and secret. `<folder>` is a folder of this run. */
  readonly env?: Readonly<Record<string, string>>;
}

const ourPaths: SignInPaths = { login: "/api/auth/login", callback: "/api/auth/callback" };

const server = (name: string) => path.join(import.meta.dirname, "servers", `${name}.js`);
const bare = (host: string): Program => ({ file: server(`${host}-bare`) });
const ours = (host: string): Program => ({
  file: server(`${host}-latchkey`),
  signIn: ourPaths,
  isOurs: true,
});

export const redisPort = 5298;
const redisURL = `redis://127.0.0.1:${redisPort}`;

/** The port of the check of the web application, and a host behind it. */
export const checkPort = 5297;
export const checkedHost = "localhost:9000";

const webApplication = (store: string): Program => ({
  file: path.join(import.meta.dirname, "../apps/web/dist/server/main.js"),
  nodeArguments: appOptions,
  signIn: ourPaths,
  isOurs: true,
  env: {
    LATCHKEY_STORE: store,
    LATCHKEY_BACKCHANNEL_LOGOUT: "true",
    MALLOC_MMAP_THRESHOLD_: "32768",
  },
});

/** Every server, by its name in the table. */
export const programs = {
  "bare Express": bare("express"),
  "latchkey on Express": ours("express"),
  "express-openid-connect": {
    file: server("express-openid-connect"),
    signIn: { login: "/login", callback: "/callback" },
  },
  "bare Hono": bare("hono"),
  "latchkey on Hono": ours("hono"),
  "@hono/oidc-auth": {
    file: server("hono-oidc-auth"),
    signIn: { login: "/", callback: "/callback" },
  },
  "bare node:http": bare("node"),
  "latchkey on node:http": ours("node"),
  "bare fetch": bare("fetch"),
  "latchkey on fetch": ours("fetch"),
  "latchkey on Express, no renewal due": {
    ...ours("express"),
    env: { LATCHKEY_SESSION_RENEW_AFTER: "3600" },
  },
  "connections looked up": { file: server("node-looked-up") },
  "10,000 connections": {
    file: server("node-looked-up"),
    // From the guide of customers.
    nodeArguments: ["--max-semi-space-size=4"],
  },
  // Its own sign-in makes the session, which is in the store.
  "latchkey on Express with Redis": {
    file: server("express-latchkey"),
    // From the guide of stores.
    nodeArguments: ["--max-semi-space-size=4"],
    signIn: ourPaths,
    env: {
      LATCHKEY_STORE: redisURL,
      LATCHKEY_SESSION_STATEFUL: "true",
      LATCHKEY_SESSION_RENEW_AFTER: "3600",
    },
  },
  "express-openid-connect with connect-redis": {
    file: server("express-openid-connect-redis"),
    signIn: { login: "/login", callback: "/callback" },
    env: { BENCH_REDIS: redisURL },
  },
  "the floor": { file: server("floor") },
  // With tokens of an issuer of the case.
  "latchkey/api on node:http": { file: server("node-api") },
  "jose.jwtVerify": { file: server("node-jose") },
  "latchkey/api on Express": { file: server("express-api") },
  "express-oauth2-jwt-bearer": { file: server("express-oauth2-jwt-bearer") },
  "web application": webApplication("sqlite:<folder>/web.db"),
  "web application in memory": webApplication("memory:"),
  // Its own sign-in makes the session, which is in the store.
  "web application with a check": {
    file: path.join(import.meta.dirname, "../apps/web/dist/server/main.js"),
    nodeArguments: appOptions,
    signIn: ourPaths,
    env: {
      LATCHKEY_STORE: "sqlite:<folder>/check.db",
      LATCHKEY_CHECK_PORT: `${checkPort}`,
      LATCHKEY_CHECK_RULES: JSON.stringify({ [checkedHost]: { "/": "signed-in" } }),
      LATCHKEY_SESSION_RENEW_AFTER: "60",
      MALLOC_MMAP_THRESHOLD_: "32768",
    },
  },
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof programs;
