import type { Reason } from "../errors/reasons.ts";
import type { CheckResult } from "../oidc/checks/check.ts";
import { signInChecks } from "../routes/sign-in-checks.ts";
import { type CallbackFacts, describeStep } from "./callback-steps.ts";
import { shorten } from "./mask.ts";
import { type Noted, type StepName, stepNames } from "./noted.ts";
import type { Check } from "./sign-in.ts";

/**
 * Returns the steps and checks of a callback in the order of the engine, each with the expected and
 * the actual value. The checks are the engine's own. If a sign-in was refused though all of them
 * hold, its last step has failed.
 */
export function judgeCallback(facts: CallbackFacts): readonly Check[] {
  const { noted, refusal, signIn } = facts.seen;
  const isRefused = signIn === undefined && refusal !== undefined;
  const runs = noted.filter(isLastRun);
  const failedStep =
    isRefused && !runs.some(hasFailedCheck) ? stepOf(refusal.reason, noted.at(-1)) : null;
  const isNoted = failedStep === null || runs.some((each) => isStep(each, failedStep));
  const rows = [...runs, ...(isNoted ? [] : [{ step: failedStep }])].flatMap((each) =>
    "step" in each ? [stepRow(each.step, facts, each.step === failedStep)] : checkRows(each),
  );
  const others = otherNames(rows).map(({ name, title }): Row => ({
    ...noValues,
    name,
    title,
    verdict: isRefused ? "not reached" : "not needed",
  }));
  return distinct([...rows, ...others]);
}

/** Of two ID tokens, the checks of the last one are shown. */
function isLastRun(each: Noted, place: number, all: readonly Noted[]): boolean {
  return !all
    .slice(place + 1)
    .some((other) => "list" in other && "list" in each && other.list === each.list);
}

function hasFailedCheck(each: Noted): boolean {
  return "list" in each && each.results().some(({ verdict }) => verdict === "failed");
}

function isStep(each: Noted, name: StepName): boolean {
  return "step" in each && each.step === name;
}

/** The step in which a sign-in was refused. The store is called beside other steps. */
function stepOf(reason: Reason, last: Noted | undefined): StepName {
  const isOfStore = reason === "store_unavailable";
  return last !== undefined && "step" in last && !isOfStore ? last.step : "Session";
}

interface Row extends Check {
  /** The title of its list, if it is a check. */
  readonly title?: string | undefined;
}

const noValues = { expected: "", actual: "" };

function stepRow(name: StepName, facts: CallbackFacts, hasFailed: boolean): Row {
  const { expected, actual } = describeStep[name](facts, hasFailed);
  return { name, verdict: hasFailed ? "failed" : "passed", expected, actual: printValue(actual) };
}

/** Checks of one name are one row. */
function checkRows({
  list: { title },
  results,
}: Extract<Noted, { list: unknown }>): readonly Row[] {
  return [...Map.groupBy(results(), ({ name }) => name).values()].flatMap((group) => {
    const failed = group.find(({ verdict }) => verdict === "failed");
    const shown = failed ?? group.findLast(({ verdict }) => verdict === "passed") ?? group[0];
    return shown === undefined ? [] : [{ ...checkRow(shown), title }];
  });
}

function checkRow({ name, verdict, values, isSecret }: CheckResult): Check {
  if (values === undefined) return { name, verdict, ...noValues };
  const { expected, actual } = values;
  if (isSecret !== true) return { name, verdict, expected, actual: printValue(actual) };
  const masked = typeof actual === "string" ? shorten(actual) : printValue(actual);
  return { name, verdict, expected: shorten(expected), actual: masked };
}

/** A name that was used before gets the title of its list. */
function distinct(rows: readonly Row[]): readonly Check[] {
  return rows.map(({ title = "", ...row }, place) => {
    const isUsed = rows.slice(0, place).some(({ name }) => name === row.name);
    return isUsed ? { ...row, name: `${title}: ${row.name}` } : row;
  });
}

/** The checks and steps to which the sign-in has not come. */
function otherNames(rows: readonly Row[]): readonly Pick<Row, "name" | "title">[] {
  const named = ({ name, title }: Pick<Row, "name" | "title">) =>
    rows.some((row) => row.name === name && row.title === title);
  const checks = signInChecks.flatMap(({ title, checks: all }) =>
    [...new Set(all.map(({ name }) => name))].map((name) => ({ name, title })),
  );
  return [...checks, ...stepNames.map((name) => ({ name }))].filter((each) => !named(each));
}

const longest = 300;

/** Text as it is, anything else as JSON. */
function printValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === "" ? "empty" : text.slice(0, longest);
}
