/** Options of StrykerJS. */
export default {
  testRunner: "vitest",
  vitest: { configFile: "tools/mutants/vitest.config.ts", related: true },
  // Stryker would rewrite a project file with an API that TypeScript 7 does not have. None is
  // needed.
  tsconfigFile: "tools/mutants/no-tsconfig.json",
  coverageAnalysis: "perTest",
  plugins: ["@stryker-mutator/vitest-runner", "./tools/mutants/ignore-details.mjs"],
  ignorers: ["details"],
  // A static mutant runs when its module loads, so every test would have to run again for each.
  ignoreStatic: true,
  concurrency: 1,
  dryRunTimeoutMinutes: 30,
  // This ends only hanging tests, which count as noticed: a busy machine is slow.
  timeoutMS: 30_000,
  disableTypeChecks: false,
  tempDirName: ".data/mutants/sandbox",
  ignorePatterns: ["/.data", "/bench", "/docs", "/e2e", "dist"],
  reporters: ["clear-text", "html", "progress-append-only"],
  htmlReporter: { fileName: ".data/mutants/report.html" },
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: null },
};
