import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

import { gzippedBytes } from "../../test/gzipped-bytes.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

test.each([
  [
    "the provider and the hooks",
    "{ SignInProvider, useSession, useUser, useSessionTimes }",
    "index.ts",
    4_770,
  ],
  [
    "the provider and the components of the README",
    "{ SignInProvider, SignedIn, SignedOut, SignInLink, AccountMenu }",
    "index.ts",
    7_930,
  ],
  ["everything", "*", "index.ts", 11_680],
])("%s stays within its budget of gzipped bytes", async (_, names, file, budget) => {
  const bytes = await gzippedBytes(`export ${names} from ${JSON.stringify(here + file)};`);
  expect(bytes).toBeLessThanOrEqual(budget);
  expect(bytes).toBeGreaterThan(budget / 2);
});

test("an app without the test provider does not download it", async () => {
  const names = "{ SignInProvider, useSession }";
  const alone = await gzippedBytes(`export ${names} from ${JSON.stringify(`${here}index.ts`)};`);
  const direct = await gzippedBytes(`
    export { SignInProvider } from ${JSON.stringify(`${here}components/sign-in-provider.tsx`)};
    export { useSession } from ${JSON.stringify(`${here}hooks/use-session.ts`)};`);
  expect(Math.abs(alone - direct)).toBeLessThan(40);
});
