import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Gzipped bytes that an app downloads for what it imports, React left out. */
async function bytesOf(code: string): Promise<number> {
  const entry = "\0entry";
  const bundle = await rolldown({
    input: entry,
    logLevel: "silent",
    external: /^react(-dom)?($|\/)/,
    treeshake: { moduleSideEffects: false },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "es", minify: true });
  await bundle.close();
  return gzipSync(output[0].code, { level: 9 }).length;
}

test.each([
  [
    "the provider and the hooks",
    "{ SignInProvider, useSession, useUser, useSessionTimes }",
    "index.ts",
    4_300,
  ],
  [
    "the provider and the components of the README",
    "{ SignInProvider, SignedIn, SignedOut, SignInLink, AccountMenu }",
    "index.ts",
    7_310,
  ],
  ["everything", "*", "index.ts", 11_370],
  ["everything in compat", "*", "compat.tsx", 6_650],
])("%s stays within its budget of gzipped bytes", async (_, names, file, budget) => {
  const bytes = await bytesOf(`export ${names} from ${JSON.stringify(here + file)};`);
  expect(bytes).toBeLessThanOrEqual(budget);
  expect(bytes).toBeGreaterThan(budget / 2);
});

test("an app that does not use the test provider does not download it", async () => {
  const names = "{ SignInProvider, useSession }";
  const alone = await bytesOf(`export ${names} from ${JSON.stringify(`${here}index.ts`)};`);
  const direct = await bytesOf(`
    export { SignInProvider } from ${JSON.stringify(`${here}components/sign-in-provider.tsx`)};
    export { useSession } from ${JSON.stringify(`${here}hooks/use-session.ts`)};`);
  expect(Math.abs(alone - direct)).toBeLessThan(40);
});
