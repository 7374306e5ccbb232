import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** Returns the gzipped size of an app's download for its imports, without React. */
export async function gzippedBytes(code: string): Promise<number> {
  const entry = "\0entry";
  const bundle = await rolldown({
    input: entry,
    logLevel: "silent",
    external: /^react(-dom)?($|\/)/,
    resolve: { conditionNames: ["@latchkey/source", "import"] },
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
