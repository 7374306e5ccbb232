import { nodeFault, oldestNode } from "../../node-version.ts";
import { failure, type Judgement, orOK, warning } from "../finding.ts";
import type { Project } from "./project.ts";

export function judgeVersions({
  nodeVersion,
  copies,
  misfits,
  manifest,
}: Project): readonly Judgement[] {
  const judgements: Judgement[] = [];
  const fault = nodeFault(nodeVersion);
  if (fault !== null) judgements.push(failure(fault, `Install Node ${oldestNode} or newer.`));
  if (copies.length > 1) {
    const found = copies.map(({ folder, version }) => `${version} in ${folder}`).join(", ");
    judgements.push(
      warning(
        `There are ${copies.length} copies of latchkey: ${found}.`,
        "Ask for one version everywhere, and run npm dedupe.",
      ),
    );
  }
  for (const { folder, version, range } of misfits) {
    judgements.push(
      failure(
        `${folder} is installed in version ${version}, and latchkey needs ${range}.`,
        `Run npm install ${folder}@latest.`,
      ),
    );
  }
  const forDevelopment = Object.keys(manifest?.dependencies ?? {}).includes("@latchkey/provider");
  if (forDevelopment) {
    judgements.push(
      warning(
        "@latchkey/provider is a dependency of production, and anyone can sign in there.",
        "Run npm install --save-dev @latchkey/provider.",
      ),
    );
  }
  return orOK(judgements);
}
