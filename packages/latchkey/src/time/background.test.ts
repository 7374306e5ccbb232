import { expect, test } from "vitest";

import { createBackground } from "./background.ts";

const never = new Promise(() => undefined);

test("close() waits for work in progress, and for work started by it", async () => {
  const background = createBackground();
  const done: string[] = [];
  const second = async () => void done.push("second");
  const first = async () => {
    await new Promise(setImmediate);
    done.push("first");
    background.run("more", second());
  };
  background.run("work", first());
  expect(await background.close(1000)).toEqual([]);
  expect(done).toEqual(["first", "second"]);
});

test("close() returns the kinds of unfinished work [OP-064]", async () => {
  const background = createBackground();
  background.run("token revocation", never);
  background.run("renewal", Promise.reject(new Error("seen to")));
  expect(await background.close(20)).toEqual(["token revocation"]);
});

test("close() ends every pause, also later ones", async () => {
  const background = createBackground();
  const pause = background.pause(600_000);
  await background.close(20);
  await pause;
  await background.pause(600_000);
  expect(background.isClosing()).toBe(true);
});

test("background work is passed to a runtime that stops with the response [AD-045]", async () => {
  const told: Promise<unknown>[] = [];
  const background = createBackground((work) => void told.push(work));
  background.run("work", Promise.reject(new Error("seen to")));
  expect(await Promise.all(told)).toEqual([undefined]);
});
