import path from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import type { Case } from "./case.ts";

const react = path.join(import.meta.dirname, "../../packages/latchkey/dist/react/index.js");
const imports = {
  "provider and hooks": "{ SignInProvider, useSession, useUser, useSessionTimes }",
  "everything in latchkey/react": "*",
};

/** What a browser downloads for the React layer: bundled, minified, gzip, React itself left out. */
export const clientBytes: Case = {
  name: "client-bytes",
  async measure() {
    const figures = new Map<string, readonly number[]>();
    for (const [name, names] of Object.entries(imports)) {
      figures.set(name, [(await bytesOf(`export ${names} from ${JSON.stringify(react)};`)) / 1000]);
    }
    return [
      {
        title: "client bytes, gzip",
        unit: "kB",
        figures,
        comparisons: [],
        limits: [
          { of: "provider and hooks", bar: 4 },
          { of: "everything in latchkey/react", bar: 10 },
        ],
      },
    ];
  },
};

async function bytesOf(code: string): Promise<number> {
  const entry = "\0entry";
  const bundle = await rolldown({
    input: entry,
    logLevel: "silent",
    external: /^react(-dom)?($|\/)/u,
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
