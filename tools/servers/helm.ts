import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { unzipSync } from "fflate";

/** A package of npm with Helm for Linux on x64, in an archive. */
const source = "@aws-cdk/asset-kubectl-v20@2.1.4";
const archive = "package/lib/layer.zip";
const entry = "helm/helm";

/**
 * Unpacks Helm. Elsewhere than on Linux on x64, install it.
 *
 * @param folder - for the command
 */
export function unpackHelm(folder: string): void {
  if (process.platform !== "linux" || process.arch !== "x64") return;
  const draft = mkdtempSync(path.join(tmpdir(), "helm-"));
  try {
    execFileSync("npm", ["pack", "--silent", source], { cwd: draft, stdio: "ignore" });
    execFileSync("tar", ["-xzf", "aws-cdk-asset-kubectl-v20-2.1.4.tgz", archive], { cwd: draft });
    const files = unzipSync(readFileSync(path.join(draft, archive)), {
      filter: ({ name }) => name === entry,
    });
    const helm = files[entry];
    if (helm === undefined) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "helm"), helm, { mode: 0o755 });
  } catch {
    // The last line of the tests names it as missing.
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
