"use server";
import { auth } from "../../auth";

export async function act(): Promise<string> {
  const { user } = (await auth()).require();
  await fetch(`${process.env["UPSTREAM"]}/acted`);
  return `Done by ${user.name}`;
}
