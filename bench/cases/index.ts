import type { Case } from "./case.ts";
import { memory } from "./memory.ts";
import { express, hono, nodeHTTP } from "./mounted.ts";
import { pageMemory, pages } from "./pages.ts";
import { signIn } from "./sign-in.ts";
import { me, sampleAPI } from "./web-application.ts";

/** Every case, in the order of the table. */
export const cases: readonly Case[] = [
  express,
  hono,
  nodeHTTP,
  me,
  sampleAPI,
  pages,
  signIn,
  memory,
  pageMemory,
];
