import { setTimeout as pause } from "node:timers/promises";
import { command, form, getRequestEvent, query } from "$app/server";

export const memberName = query(() => memberNow());

export const actRemotely = command(() => {
  const name = memberNow();
  console.log(`${name} has acted`);
  return name;
});

/** Leaves it to the guard who may send it. */
export const sendForm = form(() => {
  console.log("Somebody has acted");
});

/** Goes on while its page is open. */
export const watchMember = query.live(async function* () {
  const name = memberNow();
  try {
    for (let count = 1; ; count += 1) {
      yield `${name} ${count}`;
      await pause(100);
    }
  } finally {
    console.log("Nobody watches");
  }
});

/** The same for everybody, members or not. */
export const watchAnybody = query.live(async function* () {
  const { auth } = getRequestEvent().locals;
  const greeting = (() => {
    try {
      return String(auth.require().user.name);
    } catch {
      return "stranger";
    }
  })();
  for (let count = 1; ; count += 1) {
    yield `${greeting} ${count}`;
    await pause(100);
  }
});

function memberNow(): string {
  return String(getRequestEvent().locals.auth.require().user.name);
}
