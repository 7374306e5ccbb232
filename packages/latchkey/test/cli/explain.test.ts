import { expect, test } from "vitest";

import { createProject, latchkey } from "./project.ts";

const json =
  '{"time":"2026-11-24T01:00:00Z","event":"refusal","reason":"state_mismatch","reference":"7F3K-92QD"}';
const readable =
  "latchkey warning: refusal code_rejected (route callback, reference 7F3K-92QE): used twice";

test.each([["7F3K-92QD"], ["7f3k92qd"], ["Reference 7F3K 92QD"]])(
  "explain %s finds its line in a file, with causes, remedies and the page of its reason",
  async (reference) => {
    const folder = createProject({ "app.log": `${readable}\n${json}\n` });
    const { exitCode, stdout } = await latchkey(folder, ["explain", reference, "app.log"]);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        /7F3K-92QD"\}\n\nThe state parameter[^]*\n\n1\. The user went back[^*]*errors\/state_mismatch\n$/,
      ),
    ]);
  },
);

test("explain reads lines for people on standard input", async () => {
  const { stdout } = await latchkey(createProject({}), ["explain", "7F3K-92QE"], `${readable}\n`);
  expect(stdout).toContain("errors/code_rejected");
});

test("explain says when a line has no reason", async () => {
  const line = '{"reference":"7F3K-92QD"}';
  const { exitCode, stdout } = await latchkey(createProject({}), ["explain", "7F3K-92QD"], line);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("knows no reason in the line")]);
});

test("explain exits with 1 if no line has the reference, and with 2 without a reference", async () => {
  const folder = createProject({});
  expect(await latchkey(folder, ["explain", "AAAA-BBBB"], json)).toMatchObject({ exitCode: 1 });
  expect(await latchkey(folder, ["explain", "why"], json)).toMatchObject({ exitCode: 2 });
});

test("explain names a missing file", async () => {
  const { exitCode, stderr } = await latchkey(createProject({}), [
    "explain",
    "7F3K-92QD",
    "no.log",
  ]);
  expect([exitCode, stderr]).toEqual([2, "no.log cannot be read: no such file or directory.\n"]);
});
