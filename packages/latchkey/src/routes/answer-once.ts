import type { Context, SignIns } from "../context.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { transactionLifetimeSeconds } from "../config/constants.ts";
import { Refusal } from "../errors/refusal.ts";
import { pauses } from "../time/pauses.ts";
import {
  type Answer,
  answerKey,
  answerText,
  digestOf,
  type AnswerOutcome,
  parseAnswer,
} from "../transaction/answer.ts";
import type { Parameters } from "../http/parameters.ts";

/** An authorization response, and the transaction that it belongs to. */
interface AnsweringResponse {
  readonly state: string;
  readonly parameters: Parameters;
}

/** What has become of responses: here, and in the store for all instances. */
interface Answers extends Runtime {
  readonly store: Context["store"];
  readonly signIns: Pick<SignIns, "recent">;
}

/**
 * Handles an authorization response once, with one token request. The same response again waits
 * for the outcome of the first one: all requests of a browser lead to the same place, and one has
 * the cookies. Without a store, an instance knows its own requests only.
 *
 * @returns `null` if another request has signed the user in
 * @throws {Refusal} `code_rejected` for another response to the same transaction
 */
export async function answerOnce<T>(
  context: Answers,
  { state, parameters }: AnsweringResponse,
  signIn: () => Promise<T>,
): Promise<T | null> {
  const { recent } = context.signIns;
  const digest = digestOf(parameters);
  const here = () => Promise.resolve(recent.answerTo(state) ?? null);
  const answer: Answer = { digest, outcome: "under-way" };
  if (!recent.addAnswer(state, answer)) return sameOutcome(context, digest, here);
  const isFirst = await claim(context, state, digest);
  // Nothing in it may fail: the session exists by then.
  const settle = (outcome: AnswerOutcome, cause?: unknown) => {
    Object.assign(answer, { outcome, cause });
    if (isFirst) publish(context, state, { digest, outcome });
  };
  try {
    const made = isFirst
      ? await signIn()
      : await sameOutcome(context, digest, () => readElsewhere(context, state));
    settle("signed-in");
    return made;
  } catch (cause) {
    settle("failed", cause);
    throw cause;
  }
}

/** Waits for the outcome of the same response, and takes it over. */
async function sameOutcome(
  runtime: Runtime,
  digest: string,
  read: () => Promise<Answer | null>,
): Promise<null> {
  for (const pauseMs of pauses(runtime)) {
    // oxlint-disable-next-line no-await-in-loop -- each look comes after a pause
    const answer = await read();
    if (answer?.digest !== digest) throw answeredBefore("this transaction was answered before");
    if (answer.outcome === "signed-in") return null;
    if (answer.outcome === "failed") {
      throw answer.cause ?? answeredBefore("another instance could not use this response");
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    await runtime.timing.wait(pauseMs);
  }
  throw answeredBefore("another request with this response takes long");
}

function answeredBefore(detail: string): Refusal {
  return new Refusal("code_rejected", { detail });
}

/** Whether this instance is the first one. If the store fails, the provider decides. */
async function claim(context: Answers, state: string, digest: string): Promise<boolean> {
  const { store } = context;
  if (store === null) return true;
  const text = answerText({ digest, outcome: "under-way" });
  try {
    return await store.add(answerKey(state), text, keptUntil(context));
  } catch {
    return true;
  }
}

/** Shows other instances the outcome. No response waits for it. */
function publish(context: Answers, state: string, answer: Answer): void {
  const { store, background } = context;
  if (store === null) return;
  const write = async () => store.set(answerKey(state), answerText(answer), keptUntil(context));
  background.run("answer", write());
}

async function readElsewhere(
  { store }: Pick<Answers, "store">,
  state: string,
): Promise<Answer | null> {
  const [text] = (await store?.get([answerKey(state)])) ?? [];
  return parseAnswer(text);
}

function keptUntil(runtime: Pick<Runtime, "clock">): number {
  return nowSeconds(runtime) + transactionLifetimeSeconds;
}
