import { oneLine } from "../../errors/one-line.ts";
import { type Check, type Finding, type Judgement, notAsked, notKnown } from "./finding.ts";

const pages = "https://latchkey-auth.github.io/latchkey/doctor/";

/**
 * Runs checks in their order, causes first. A check whose cause has failed is not judged, so the
 * first failure is the one to mend.
 *
 * @param failed - ids of earlier checks that failed; those of this run are added
 */
export function runChecks<Facts>(
  checks: readonly Check<Facts>[],
  facts: Facts,
  failed: Set<string>,
): readonly Finding[] {
  return checks.flatMap((check) => {
    const { id, title, after = [] } = check;
    const cause = after.find((each) => failed.has(each));
    const judgements =
      cause === undefined ? judge(check, facts) : [notAsked(`${cause} comes first`)];
    if (judgements.some(({ verdict }) => verdict === "failure")) failed.add(id);
    return judgements.map((judgement) => ({
      id,
      title,
      page: `${pages}#${id.toLowerCase()}`,
      verdict: judgement.verdict,
      // Servers choose some of the words.
      what: oneLine(judgement.what),
      remedy: oneLine(judgement.remedy),
    }));
  });
}

/** A check that throws is a fault of the check, not of the user. */
function judge<Facts>({ id, judge: judgeFacts }: Check<Facts>, facts: Facts): readonly Judgement[] {
  try {
    return [judgeFacts(facts)].flat();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [notKnown(`The check ${id} itself failed: ${why}`, "Please report it.")];
  }
}
