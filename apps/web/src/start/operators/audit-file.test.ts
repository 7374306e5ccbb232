import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { type AuditFault, openAuditFile } from "./audit-file.ts";

/** A full disk. */
const full = "/dev/full";

test.skipIf(!existsSync(full))(
  "a file on a full disk is reported once a minute, with the number of dropped lines [OP-134]",
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

test("only the user of the process may read the file", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "audit.log");
  openAuditFile(path, () => undefined)("one");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("an existing file is closed to other users, and stays open to its group", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "audit.log");
  writeFileSync(path, "former\n");
  chmodSync(path, 0o646);
  openAuditFile(path, () => undefined)("one");
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readFileSync(path, "utf8")).toBe("former\none\n");
});

test("after a file is renamed or removed a new one begins, and no line is lost [OP-134]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "audit.log");
  const faults: AuditFault[] = [];
  const write = openAuditFile(path, (fault) => faults.push(fault));
  write("one");
  renameSync(path, `${path}.1`);
  write("two");
  expect(readFileSync(`${path}.1`, "utf8")).toBe("one\n");
  expect(readFileSync(path, "utf8")).toBe("two\n");
  renameSync(path, `${path}.2`);
  mkdirSync(path);
  for (const line of ["three", "four"]) write(line);
  await expect.poll(() => faults).toMatchObject([{ error: { code: "EISDIR" } }]);
  rmSync(path, { recursive: true });
  write("five");
  expect(readFileSync(`${path}.2`, "utf8")).toBe("two\nthree\nfour\n");
  expect(readFileSync(path, "utf8")).toBe("five\n");
});

test.skipIf(!existsSync(full))("a process ends while its file takes nothing [OP-134]", () => {
  const audit = new URL("audit-file.ts", import.meta.url).href;
  const code = `import { openAuditFile } from ${JSON.stringify(audit)};
    openAuditFile("${full}", () => process.exit(7))("one");`;
  const options = { timeout: 60_000, killSignal: "SIGKILL" } as const;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], options);
  expect(status).toBe(7);
});
