/**
 * Runs before each test file. A refused connection fails its test, even if the tested code catches
 * the error.
 */
import { afterEach } from "vitest";
import { endWithRun } from "./end-with-run.ts";
import { refusedHosts } from "./loopback-only.ts";
import { reuseKeys } from "./reused-keys.ts";

endWithRun();
reuseKeys();

afterEach(() => {
  const refused = refusedHosts.splice(0);
  if (refused.length > 0) throw new Error(`This test tried to reach ${refused.join(", ")}.`);
});
