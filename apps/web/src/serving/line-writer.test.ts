import { once } from "node:events";
import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { createLineWriter } from "./line-writer.ts";

const aKibibyte = `${"x".repeat(1023)}\n`;

function writerTo(stream: PassThrough) {
  return createLineWriter(stream, (count) => `dropped ${count}\n`);
}

test("lines are written in their order", async () => {
  const stream = new PassThrough();
  const writer = writerTo(stream);
  writer.write("one\n");
  writer.writeDurably("two\n");
  await writer.flush(1000);
  expect(String(stream.read())).toBe("one\ntwo\n");
});

test("while the output is not read, lines of the log are dropped and counted, those of the audit are kept [OP-134]", async () => {
  const stream = new PassThrough({ highWaterMark: 1024 });
  const writer = writerTo(stream);
  for (let count = 0; count < 2000; count += 1) writer.write(aKibibyte);
  for (let count = 0; count < 10_000; count += 1) writer.writeDurably("audit\n");
  await writer.flush(20);
  let text = "";
  stream.on("data", (chunk: Buffer) => (text += chunk));
  await once(stream, "drain");
  await writer.flush(1000);
  const lines = text.split("\n");
  expect(lines.filter((line) => line === "audit")).toHaveLength(10_000);
  const kept = lines.filter((line) => line.startsWith("x")).length;
  expect(lines).toContain(`dropped ${2000 - kept}`);
  expect(kept).toBeLessThan(2000);
});

test("a closed output is no fault", async () => {
  const stream = new PassThrough();
  const writer = writerTo(stream);
  stream.destroy(new Error("EPIPE"));
  await new Promise((resolve) => void stream.once("close", resolve));
  writer.write("one\n");
  await expect(writer.flush(20)).resolves.toBeUndefined();
});
