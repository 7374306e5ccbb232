import { expect, test } from "vitest";

import { hardened } from "../../src/config/preset.ts";
import { variableOf } from "../../src/config/setting-definitions.ts";
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

test.each([
  ['{"reason":"token_issuer","kind":"logout_token","reference":"7F3K-92QD"}', "the logout token"],
  ["refusal token_issuer (route callback, kind id_token, reference 7F3K-92QD)", "the ID token"],
  ['{"reason":"id_token_issuer","reference":"7F3K-92QD"}', "the ID token"],
])("explain names the kind of token of the line %s", async (line, token) => {
  const { stdout } = await latchkey(createProject({}), ["explain", "7F3K-92QD"], line);
  expect(stdout).toContain(`\n\nUnexpected iss value in ${token}.\n\nCauses and remedies:`);
  expect(stdout).toMatch(/errors\/token_issuer\n$/);
});

test.each([
  ["token_typ", "The logout token is not a well-formed JWT."],
  ["logout_token_type", "The logout token is not a well-formed JWT."],
  ["userinfo_token_issuer", "Unexpected iss value in the userinfo JWT."],
  ["store_unavailable", "The session store does not answer."],
])("explain %s needs no log, and finds former names of a reason", async (name, text) => {
  const { exitCode, stdout } = await latchkey(createProject({}), ["explain", name]);
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(`^${text}\n\nCauses and remedies:[^]*errors/[a-z_]+\n$`),
  ]);
});

test("explain hardened lists what the preset changes, each with its requirement", async () => {
  const { exitCode, stdout } = await latchkey(createProject({}), ["explain", "hardened"]);
  expect(exitCode).toBe(0);
  for (const { option, asvs } of hardened) {
    expect(stdout).toMatch(new RegExp(`^${variableOf(option)}.*\\n  ASVS ${asvs}: .+\\.$`, "m"));
  }
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
