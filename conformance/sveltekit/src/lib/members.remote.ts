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

function memberNow(): string {
  return String(getRequestEvent().locals.auth.require().user.name);
}
