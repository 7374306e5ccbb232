import type { Plan } from "./read-plan.ts";
import { secretFile } from "./settings-steps.ts";
import type { Step } from "./step.ts";
import { unifiedDiff } from "./unified-diff.ts";
import type { FileChange } from "./write-changes.ts";

/** Returns the changes of a plan, `.gitignore` before the file with secrets. */
export function changesOf({ steps }: Plan): readonly FileChange[] {
  return steps.flatMap((step) => (step.kind === "change" ? [step.change] : []));
}

/** Returns the plan as lines for the user. */
export function describePlan(plan: Plan, installs: readonly string[]): string {
  const { host, steps, project } = plan;
  return [
    `${host.name} in ${project.folder}`,
    ...installs.map((command) => `  run     ${command}`),
    ...steps.flatMap((step) => lineOf(step)),
  ].join("\n");
}

function lineOf(step: Step): readonly string[] {
  switch (step.kind) {
    case "change":
      return [`  ${step.what.padEnd(7)} ${step.change.path}`];
    case "skip":
      return [`  skip    ${step.path}: ${step.reason}`];
    case "note":
      return [`  later   ${step.text}`];
    case "blocked":
      return [`  stop    ${step.path}: ${step.reason}`];
  }
}

/**
 * Returns the changes as a diff for `git apply`. The file with secrets is described above it: its
 * values appear nowhere.
 */
export function diffOf(plan: Plan): string {
  const changes = changesOf(plan);
  const secrets = changes.filter(({ path }) => path === secretFile);
  const names = secrets.flatMap(({ before, after }) =>
    [...after.slice(before?.length ?? 0).matchAll(/^(LATCHKEY_\w+)=/gm)].map(([, name]) => name),
  );
  const heading = names.length === 0 ? "" : `# ${secretFile} gets ${names.join(", ")}\n`;
  const others = changes.filter(({ path }) => path !== secretFile);
  return heading + others.map(unifiedDiff).join("");
}

/** Returns what the user adds by hand, file by file; empty if nothing stops the plan. */
export function describeBlocks(steps: readonly Step[]): string {
  return steps
    .flatMap((step) =>
      step.kind === "blocked"
        ? [`${step.path} ${step.reason}. Add to it:\n\n${step.lines.replaceAll(/^(?=.)/gm, "  ")}`]
        : [],
    )
    .join("\n");
}
