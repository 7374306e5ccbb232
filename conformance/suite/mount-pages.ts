import type { ExampleCopy } from "./example-copy.ts";
import { look } from "./pages-example.ts";
import { host } from "./world.ts";

/** Mounts the pages in a copy of the example, as a reader of the guide does. */
export function mountPages({ edit }: Pick<ExampleCopy, "edit">): void {
  for (const file of host.authFiles ?? []) edit(file, withPages);
}

function withPages(text: string): string {
  const option = `{ pages: pages(${JSON.stringify(look)}) }`;
  const mounted = text
    .replace("authFromEnvironment()", `authFromEnvironment(process.env, ${option})`)
    .replace("= latchkey(apiOptions())", `= latchkey(${option})`);
  return `import { pages } from "@latchkey/pages";\n${mounted}`;
}
