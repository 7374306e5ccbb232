import { type Answer, isResponse } from "../ask.ts";
import { failure, type Judgement, notKnown, ok, warning } from "../finding.ts";
import type { ProviderAnswers } from "./ask-provider.ts";

/** By how many seconds a server is ahead of this machine; none from a cache. */
function offsetsOf(answers: readonly (Answer | null)[]) {
  return answers.flatMap((answer) => {
    if (!isResponse(answer) || Number(answer.headers.get("age") ?? 0) > 0) return [];
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (Number.isNaN(date)) return [];
    const { sentAt, receivedAt } = answer;
    const middle = (sentAt + receivedAt) / 2;
    return [{ offset: (date + 500 - middle) / 1000, trip: (receivedAt - sentAt) / 1000 }];
  });
}

const withNTP = "Set the clock of this machine with NTP.";

export function judgeClock({
  discovery,
  again,
  token,
  tokenHead,
  config,
}: ProviderAnswers): Judgement {
  // It signs the ID tokens; the metadata may come from another server.
  const [issuing] = offsetsOf([tokenHead, token]);
  if (issuing !== undefined && Math.abs(issuing.offset) > config.clockTolerance) {
    const seconds = Math.round(issuing.offset);
    return failure(
      `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead of"} the token endpoint's.`,
      "Set the clocks of this machine and of the provider with NTP.",
    );
  }
  const offsets = offsetsOf([discovery, ...again]);
  const [best] = offsets.toSorted((one, other) => one.trip - other.trip);
  if (best === undefined) return notKnown("The provider sends no date of its own.");
  const seconds = Math.round(best.offset);
  const said = `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead of"} the provider's.`;
  const spread = Math.max(...offsets.map((each) => Math.abs(each.offset - best.offset)));
  if (spread > 30) return notKnown("The servers of the provider disagree about the time.");
  if (Math.abs(best.offset) > config.clockTolerance) {
    return failure(said, withNTP);
  }
  return Math.abs(best.offset) > 5 + best.trip / 2 ? warning(said, withNTP) : ok;
}
