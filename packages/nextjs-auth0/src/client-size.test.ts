import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

import { gzippedBytes } from "../../latchkey/test/gzipped-bytes.ts";

test("the client stays within its budget of gzipped bytes", async () => {
  const file = fileURLToPath(new URL("client.tsx", import.meta.url));
  const bytes = await gzippedBytes(`export * from ${JSON.stringify(file)};`);
  expect(bytes).toBeLessThanOrEqual(7_300);
  expect(bytes).toBeGreaterThan(3_000);
});
