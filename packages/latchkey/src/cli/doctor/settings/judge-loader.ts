import { failure, type Judgement } from "../finding.ts";
import type { Project } from "./project.ts";

/** Frameworks that put the values of variables in place of `$NAME` when they read a file. */
const expanding: readonly (readonly [dependency: string, name: string])[] = [
  ["next", "Next.js"],
  ["nuxt", "Nuxt"],
  ["nitropack", "Nitro"],
  ["astro", "Astro"],
  ["@sveltejs/kit", "SvelteKit"],
  ["dotenv-expand", "dotenv-expand"],
  ["vite", "Vite"],
];

const expanded =
  /^[^\S\n]*(?:export\s+)?(LATCHKEY_\w+)[^\S\n]*=(?:[^\n]*[^\\\n])?\$(?:\{|[A-Za-z_])/gm;

/** A value that the loader of the framework reads in another way than it is written. */
export function judgeLoader({ files, manifest }: Project): readonly Judgement[] {
  const installed = { ...manifest?.dependencies, ...manifest?.devDependencies };
  const [, loader] = expanding.find(([dependency]) => Object.hasOwn(installed, dependency)) ?? [];
  if (loader === undefined) return [];
  return files.flatMap(({ name, text }) =>
    [...text.matchAll(expanded)].map(([, variable = ""]) =>
      failure(
        `${name} has a $ in ${variable}, and ${loader} puts the value of a variable in its place.`,
        "Write \\$ in place of $.",
      ),
    ),
  );
}
