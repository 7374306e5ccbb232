import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

const conditions = ["@latchkey/source", "node", "development|production"];

/** A mutant ends at the first test that notices it, so the quickest files come first. Servers and processes of others are too slow. */
const places = ["src", "test/properties", "test/conformance", "test/hosts"];

class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      places.findIndex((place) => moduleId.includes(`/${place}/`));
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** The tests of the engine, in one project: mutants are made nowhere else. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: places.map((place) => `packages/latchkey/${place}/**/*.test.ts`),
    exclude: ["**/node_modules/**", "**/dist/**", "packages/latchkey/src/react/**"],
    setupFiles: ["tools/vitest/setup.ts"],
    pool: "threads",
    sequence: { sequencer: QuickestFirst },
    testTimeout: 10_000,
    execArgv: ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"],
  },
});
