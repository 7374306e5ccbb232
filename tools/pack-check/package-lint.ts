/** What publint and "are the types wrong" say of the packed package. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import type { Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** @throws Error with all findings */
export async function assertWellPacked(folder: string): Promise<void> {
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  const packed = new Uint8Array(readFileSync(path.join(folder, tarball)));
  const faults = [...(await publintFaults(packed)), ...(await typeFaults(packed))];
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

async function publintFaults(packed: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: packed.buffer }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`);
}

async function typeFaults(packed: Uint8Array): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(packed));
  if (!result.types) return ["The packed package has no types."];
  const withoutTrace = (name: string, value: unknown) => (name === "trace" ? undefined : value);
  return result.problems
    .filter(concernsUs)
    .map((problem) => `types: ${JSON.stringify(problem, withoutTrace)}`);
}

/**
 * The package is for `import` and for resolvers with support for `exports`; a style sheet has no
 * types.
 */
function concernsUs(problem: Problem): boolean {
  if (!("resolutionKind" in problem)) return true;
  const isStyle = problem.entrypoint.endsWith(".css");
  return !isStyle && ["node16-esm", "bundler"].includes(problem.resolutionKind);
}
