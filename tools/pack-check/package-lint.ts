/** What publint and "are the types wrong" say of the packed package, and its size. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import type { Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

interface Budget {
  /** Kilobytes of the tarball. */
  readonly packed: number;
  /** Kilobytes of the archive in it. */
  readonly unpacked: number;
}

/** About a tenth more than the packages need. */
const budgets: Readonly<Record<string, Budget>> = {
  latchkey: { packed: 880, unpacked: 3_900 },
  "@latchkey/nextjs-auth0": { packed: 16, unpacked: 84 },
  "@latchkey/pages": { packed: 215, unpacked: 850 },
  "@latchkey/provider": { packed: 100, unpacked: 500 },
};

/** @throws Error with all findings */
export async function assertWellPacked(folder: string, name: string): Promise<void> {
  const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
  const packed = new Uint8Array(readFileSync(path.join(folder, tarball)));
  const faults = [
    ...(await publintFaults(packed)),
    ...(await typeFaults(packed)),
    ...sizeFaults(packed, name),
    ...noticeFaults(packed, name),
  ];
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

function sizeFaults(packed: Uint8Array, name: string): string[] {
  const size = { packed: packed.length / 1000, unpacked: gunzipSync(packed).length / 1000 };
  const budget = budgets[name] ?? { packed: 0, unpacked: 0 };
  return (["packed", "unpacked"] as const)
    .filter((state) => size[state] > budget[state])
    .map((state) => `${name}: ${size[state]} kB ${state}, more than ${budget[state]}`);
}

/** What a package bundles has its license in it. */
function noticeFaults(packed: Uint8Array, name: string): string[] {
  const bundled = { latchkey: "@clack/prompts", "@latchkey/pages": "preact" }[name];
  if (bundled === undefined) return [];
  const archive = gunzipSync(packed).toString("latin1");
  const notices = new RegExp(
    `dist/bundle/licenses\\.md[\\s\\S]*## ${bundled} [\\s\\S]*MIT License`,
  );
  return notices.test(archive) ? [] : [`${name}: the license of ${bundled} is not packed`];
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
