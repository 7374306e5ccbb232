import { accessToken, coldKeys, newToken, newTokenMemory } from "./api.ts";
import { boundSession } from "./bound-session.ts";
import type { Case } from "./case.ts";
import { check } from "./check.ts";
import { connectionMemory, lookedUpConnection } from "./connections.ts";
import { hosts } from "./hosts.ts";
import { memory, redisMemory } from "./memory.ts";
import { express, hono, nodeHTTP } from "./mounted.ts";
import { pageMemory, pages } from "./pages.ts";
import { redis } from "./redis.ts";
import { signIn } from "./sign-in.ts";
import { me, sampleAPI } from "./web-application.ts";

/** Every case, in the order of the table. */
export const cases: readonly Case[] = [
  express,
  hono,
  nodeHTTP,
  hosts,
  lookedUpConnection,
  redis,
  boundSession,
  accessToken("ES256"),
  accessToken("RS256"),
  newToken,
  coldKeys,
  me,
  sampleAPI,
  check,
  pages,
  signIn,
  memory,
  redisMemory,
  newTokenMemory,
  pageMemory,
  connectionMemory,
];
