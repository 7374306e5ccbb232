import { expect, it, onTestFinished, vi } from "vitest";
import { vitestReport } from "./tally.ts";
import { runTests } from "./test-run.ts";

/** Starts a runner of three files: "shy.ts" passes only alone, "bad.ts" never passes. */
async function run(files: readonly string[], again: boolean) {
  const log = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const code = `
    const [reportFile, ...only] = process.argv.slice(1);
    const testResults = (only.length > 0 ? only : ${JSON.stringify(files)}).map((file) => {
      const passed = file === "good.ts" || (file === "shy.ts" && only.length === 1);
      return { name: process.cwd() + "/" + file, status: passed ? "passed" : "failed", assertionResults: [1] };
    });
    const numFailedTests = testResults.filter(({ status }) => status === "failed").length;
    const numPassedTests = testResults.length - numFailedTests;
    fs.writeFileSync(reportFile, JSON.stringify({ numPassedTests, numFailedTests, testResults }));
    process.exit(numFailedTests)`;
  const tally = await runTests({
    step: (reportFile, only) => ({
      name: "three files",
      command: ["node", "-e", code, "--", reportFile, ...only],
    }),
    reader: vitestReport,
    again,
  });
  return { tally, lines: log.mock.calls.map(String).filter((line) => line.includes("only when")) };
}

it("a test run runs failed files once more, alone, and names the passing ones", async () => {
  expect(await run(["good.ts", "shy.ts"], true)).toEqual({
    tally: { passed: 2, failed: 0, skipped: 0 },
    lines: ["passed only when run again: shy.ts"],
  });
});

it("a test run counts all failed files as failed if one of them fails again", async () => {
  expect(await run(["good.ts", "shy.ts", "bad.ts"], true)).toEqual({
    tally: { passed: 1, failed: 2, skipped: 0 },
    lines: [],
  });
});

it("a test run runs no file again without the option", async () => {
  expect(await run(["good.ts", "shy.ts"], false)).toEqual({
    tally: { passed: 1, failed: 1, skipped: 0 },
    lines: [],
  });
});
