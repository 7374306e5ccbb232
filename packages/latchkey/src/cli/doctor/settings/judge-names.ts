import { ownVariables } from "../../../config/environment.ts";
import { editDistance } from "../../../config/nearest-name.ts";
import { failure, type Judgement, orOK, warning } from "../finding.ts";
import { knownToOthers } from "./known-variables.ts";
import type { Project } from "./project.ts";

export function judgeNames({ warnings, variables }: Project): readonly Judgement[] {
  return orOK([
    ...warnings.flatMap(judgeWarning),
    ...Object.keys(variables).flatMap(judgePrefix),
    ...judgeMode(variables),
  ]);
}

/** Frameworks know only this word, and read any other one as development. */
const production = "production";

function judgeMode({ NODE_ENV: mode = "" }: Project["variables"]): readonly Judgement[] {
  const word = mode.trim().toLowerCase();
  const isMeant = word.startsWith("prod") || editDistance(word, production) <= 3;
  if (mode === production || !isMeant) return [];
  const what = `NODE_ENV is ${JSON.stringify(mode)}, and frameworks read that as development.`;
  return [failure(what, "Set NODE_ENV=production.")];
}

function judgeWarning(sentences: string): readonly Judgement[] {
  // The check of the form reports it.
  if (sentences.startsWith("The quotation marks")) return [];
  const end = sentences.indexOf(". ") + 1;
  const [what, remedy] = [sentences.slice(0, end), sentences.slice(end + 1)];
  return [what.includes("are both set") ? warning(what, remedy) : failure(what, remedy)];
}

const known = [...ownVariables, ...knownToOthers];

/** A variable whose prefix is misspelt, or in small letters, which no one reads. */
function judgePrefix(name: string): readonly Judgement[] {
  if (name.startsWith("LATCHKEY_")) return [];
  const meant = known.find((each) => isNear(name.toUpperCase(), each));
  return meant === undefined
    ? []
    : [failure(`${name} is no variable of Latchkey.`, `Did you mean ${meant}?`)];
}

function isNear(name: string, other: string): boolean {
  return Math.abs(name.length - other.length) <= 2 && editDistance(name, other) <= 2;
}
