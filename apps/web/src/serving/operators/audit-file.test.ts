import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { expect, onTestFinished, test, vi } from "vitest";

import { type AuditFault, openAuditFile } from "./audit-file.ts";

/** A disk that is always full. */
const full = "/dev/full";

test.skipIf(!existsSync(full))(
  "a file that takes nothing is told once a minute, with how many lines were too many [OP-134]",
  async () => {
    const faults: AuditFault[] = [];
    const write = openAuditFile(full, (fault) => faults.push(fault));
    write("one");
    await expect.poll(() => faults).toMatchObject([{ error: { code: "ENOSPC" }, dropped: 0 }]);
    const aMebibyte = "x".repeat(1024 * 1024);
    for (let count = 0; count < 20; count += 1) write(aMebibyte);
    const begun = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(begun + 60_000);
    onTestFinished(() => clock.mockRestore());
    write("more");
    await expect.poll(() => faults).toHaveLength(2);
    expect(faults[1]?.dropped).toBeGreaterThan(3);
  },
);

test.skipIf(!existsSync(full))("a process ends while its file takes nothing [OP-134]", () => {
  const audit = new URL("audit-file.ts", import.meta.url).href;
  const code = `import { openAuditFile } from ${JSON.stringify(audit)};
    openAuditFile("${full}", () => process.exit(7))("one");`;
  const options = { timeout: 10_000, killSignal: "SIGKILL" } as const;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], options);
  expect(status).toBe(7);
});
