"use server";
import { auth } from "../../../auth";

export async function setTheme(theme: string): Promise<void> {
  const { update } = (await auth()).require();
  await update((session) => ({ ...session, theme: "none" }));
  await update((session) => ({ ...session, theme }));
}

export async function readTheme(): Promise<string> {
  const { session } = (await auth()).require();
  return String(session["theme"]);
}

/** Writes what is there already. */
export async function keepTheme(): Promise<string> {
  const session = await (await auth()).update((before) => ({ ...before }));
  return `Kept ${String(session?.["theme"])}`;
}

export async function secondFactorOnly(): Promise<string> {
  const { user } = (await auth()).require({ acr: ["mfa"] });
  return `Second factor of ${user.name}`;
}

export async function editorsOnly(): Promise<void> {
  (await auth()).require((session) => session["role"] === "editor");
}

export async function endEverywhere(): Promise<void> {
  await (await auth()).endDevices("all");
}
