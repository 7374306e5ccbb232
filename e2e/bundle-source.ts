import path from "node:path";
import { rolldown } from "rolldown";

/**
 * Bundles the source of a small app for browsers.
 *
 * @param source - a module; what it imports by name is found from this folder
 */
export async function bundleSource(source: string): Promise<string> {
  // The file does not exist.
  const entry = path.join(import.meta.dirname, "story-app.js");
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? source : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "iife" });
  await bundle.close();
  return output[0].code;
}
