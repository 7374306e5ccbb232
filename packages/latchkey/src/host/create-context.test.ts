import { expect, test } from "vitest";

import { jarAfter } from "../../test/browser/cookie-jar.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import { transactionLifetimeSeconds } from "../config/constants.ts";
import { readSession } from "../session/read-session.ts";
import { userTag } from "../session/session-handle.ts";
import { memoryStore } from "../stores/memory.ts";
import { createContext } from "./create-context.ts";

const start = 1_800_000_000;
const ada = { user: { sub: "ada" } };

test.each([
  ["a week", { rolling: false }, 604_800],
  ["a day", { rolling: false, absoluteDuration: 86_400 }, 86_400],
  ["an idle day", { absoluteDuration: false }, 86_400],
] as const)(
  "a user ended during a sign-in stays signed out for the session time of %s",
  async (_, session, lifeSeconds) => {
    let now = start;
    const clock = () => now * 1000;
    const config = readConfig({ ...goodSettings, session }, { hasStore: true });
    const store = memoryStore(clock);
    const context = createContext(config, { store, clock, log: () => undefined });
    now += 1;
    const { registration } = context.connections.default;
    await context.ended?.endUser(userTag(registration, "ada"));
    now = start + transactionLifetimeSeconds - 1;
    const signIn = {
      connection: context.connections.default,
      sub: "ada",
      sid: undefined,
      started: start * 1000,
    };
    const { setCookies } = await context.sessions.create(ada, signIn, {});
    const stateAfter = async (seconds: number) => {
      now = start + transactionLifetimeSeconds - 1 + seconds;
      return readSession(context.reader, jarAfter(setCookies), now);
    };
    expect(await stateAfter(0)).toMatchObject({ reason: "elsewhere" });
    expect(await stateAfter(lifeSeconds - 1)).toMatchObject({ reason: "elsewhere" });
  },
);
