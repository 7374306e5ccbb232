import type { Check, Verdict } from "../sign-in.ts";
import type { Seen } from "../watch-context.ts";
import type { CallbackFacts, CheckLine } from "./facts.ts";
import { idTokenChecks } from "./id-token-checks.ts";
import { responseChecks, tokenChecks } from "./response-checks.ts";
import { sessionChecks } from "./session-checks.ts";

const lines: readonly CheckLine[] = [
  ...responseChecks,
  ...tokenChecks,
  ...idTokenChecks,
  ...sessionChecks,
];

type Refused = NonNullable<Seen["refusal"]>;

/** How far a callback has come: to these lines, those before them included. */
type Reached = "response" | "token response" | "tokens";

/**
 * Returns every check with the value it expected and the one that came. Its verdict is the one of
 * the engine: nothing is judged a second time. The check of the refusal's reason has failed, those
 * before it have passed, the others were not reached.
 */
export function judgeChecks(facts: CallbackFacts): readonly Check[] {
  const { refusal, signIn } = facts.seen;
  const reached = reachedBy(facts);
  const failed =
    refusal === undefined || signIn !== undefined ? -1 : failedLine(facts, refusal, reached);
  return lines.map((line, place) => {
    const isReachedHere = signIn !== undefined || (place <= failed && place < linesBy[reached]);
    const verdict = verdictOf(line, facts, {
      isReached: isReachedHere,
      hasFailed: place === failed,
    });
    const { name, expected, actual } = line;
    return verdict === "passed" || verdict === "failed"
      ? { name, verdict, expected: expected(facts), actual: printValue(actual(facts)) }
      : { name, verdict, expected: "", actual: "" };
  });
}

function verdictOf(
  { applies = () => true }: CheckLine,
  facts: CallbackFacts,
  { isReached, hasFailed }: { readonly isReached: boolean; readonly hasFailed: boolean },
): Verdict {
  if (hasFailed) return "failed";
  if (!isReached) return "not reached";
  return applies(facts) ? "passed" : "not needed";
}

function reachedBy({ tokenCall, idToken }: CallbackFacts): Reached {
  const hasTokens = tokenCall?.response?.["access_token"] !== undefined;
  if (idToken !== null || hasTokens) return "tokens";
  return tokenCall === undefined ? "response" : "token response";
}

/** The number of lines that a callback can have come to. */
const linesBy: Readonly<Record<Reached, number>> = {
  response: responseChecks.length,
  "token response": responseChecks.length + tokenChecks.length,
  tokens: lines.length,
};

/** Some reasons have several causes: how far the callback came says which. */
function failedLine(
  facts: CallbackFacts,
  { reason, kind: refused }: Refused,
  reached: Reached,
): number {
  if (facts.seen.hook === "called") return placeOf("Hooks of the app");
  if (reached === "token response") return placeOf("Token response");
  const isMeant = ({ reasons, kind = "id_token" }: CheckLine) =>
    reasons.includes(reason) && (refused === undefined || refused === kind);
  const known = reached === "tokens" ? lines.findLastIndex(isMeant) : lines.findIndex(isMeant);
  if (known >= 0) return known;
  // A call to the provider has failed: which one?
  if (facts.userinfoCall !== undefined) return placeOf("Userinfo");
  return placeOf(reached === "tokens" ? "kid" : "Metadata of the provider");
}

function placeOf(name: string): number {
  return lines.findIndex((line) => line.name === name);
}

const longest = 300;

/** Text as it is, anything else as JSON. */
function printValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === "" ? "empty" : text.slice(0, longest);
}
