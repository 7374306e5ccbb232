import { type Judgement, orOK, warning } from "../finding.ts";
import type { Project } from "./project.ts";

/** What the settings relax of their preset; broken settings are for other checks. */
export function judgePreset({ config }: Pick<Project, "config">): readonly Judgement[] {
  const remedy = "Leave the variable out, or accept it.";
  return orOK((config?.relaxations ?? []).map((each) => warning(each, remedy)));
}
