"use server";
import { auth } from "../../auth";

export async function act(): Promise<string> {
  const { user } = (await auth()).require();
  console.log(`${user.sub} has acted`);
  return `Done by ${user.name}`;
}
