/**
 * `npm run api`: writes the public names and types of every published package into its folder
 * `api`, one file for each entry point, so that a review shows each change of them. `--check`
 * writes nothing, and fails if a file differs from the declarations.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

import { publishedPackages, type PublishedPackage } from "../release/published-packages.ts";

const root = path.join(import.meta.dirname, "../..");
const isCheck = process.argv.includes("--check");
const silent = { logLevel: ExtractorLogLevel.None };

/** The declarations of the entry points, with the name of the report of each. */
function entryPoints({ exports }: PublishedPackage): ReadonlyMap<string, string> {
  const targets = Object.entries(exports).flatMap(([name, target]) =>
    typeof target === "object" && target["types"] !== undefined
      ? [[reportName(name), target["types"]] as const]
      : [],
  );
  return new Map(targets);
}

/** `./nuxt/client` is reported in `nuxt-client`, and `.` in `index`. */
function reportName(entryPoint: string): string {
  return entryPoint === "." ? "index" : entryPoint.slice(2).replaceAll("/", "-");
}

/** Returns if the declarations are as the report says. Writes the report unless this is a check. */
function report(folder: string, name: string, declarations: string): boolean {
  const file = path.join(folder, declarations);
  const config = ExtractorConfig.prepare({
    configObjectFullPath: path.join(folder, "api-extractor.json"),
    packageJsonFullPath: path.join(folder, "package.json"),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: file,
      compiler: { overrideTsconfig: { compilerOptions, files: [file] } },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: path.join(folder, "api"),
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: silent },
        extractorMessageReporting: { default: silent },
        tsdocMessageReporting: { default: silent },
      },
    },
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => (message.handled = true),
  });
  return !apiReportChanged;
}

/** Makes the declarations those of the published package. */
function completeDeclarations({ folder }: PublishedPackage): void {
  const tool = path.join(root, "tools/declarations/main.ts");
  execFileSync(process.execPath, [tool, path.basename(folder)]);
}

const compilerOptions = {
  module: "nodenext",
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  types: ["node"],
  jsx: "react-jsx",
  skipLibCheck: true,
};

const temporary = mkdtempSync(path.join(tmpdir(), "latchkey-api-"));
try {
  for (const each of publishedPackages(root)) {
    const folder = path.join(root, each.folder);
    completeDeclarations(each);
    const entries = entryPoints(each);
    const reports = path.join(folder, "api");
    mkdirSync(reports, { recursive: true });
    const changed = [...entries].filter(([name, file]) => !report(folder, name, file));
    const names = new Set([...entries.keys()].map((name) => `${name}.api.md`));
    const surplus = readdirSync(reports).filter((name) => !names.has(name));
    if (!isCheck) for (const name of surplus) rmSync(path.join(reports, name));
    const wrong = isCheck ? [...changed.map(([name]) => `${name}.api.md`), ...surplus] : [];
    for (const name of wrong) {
      console.error(`${each.folder}/api/${name} differs from the package: run npm run api.`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(temporary, { recursive: true });
}
