import { defaultID } from "../config/constants.ts";
import type { Followed } from "./followed.ts";
import { createHide, maskParameter } from "./mask.ts";
import type { RecentSignIns } from "./recent-sign-ins.ts";
import { secretsOf } from "./secrets.ts";
import type { Fact } from "./sign-in.ts";
import { hideStep, parameterFacts, placeOf, refusalStep, setCookiesOf } from "./steps.ts";

/** Records the start of a sign-in: the login request, and the authorization request it becomes. */
export function recordLogin(signIns: RecentSignIns, followed: Followed): void {
  const { seen, request, response, at } = followed;
  const { transaction, refusal } = seen;
  // A prefetch, or a redirect to the base URL.
  if (transaction === undefined && refusal === undefined) return;
  const entry = signIns.begin(transaction?.state, at);
  entry.place = placeOf(followed.context, transaction?.connection ?? defaultID);
  const hide = createHide(secretsOf(followed));
  entry.steps.push(
    hideStep(hide, {
      title: "Login request",
      at,
      facts: [
        ["request", `${request.method} ${new URL(request.url).pathname}`],
        ...parameterFacts(new URL(request.url).searchParams),
        ...(transaction === undefined ? [] : [["leads back to", transaction.returnTo] as const]),
      ],
    }),
  );
  if (refusal !== undefined) {
    entry.id = refusal.reference ?? entry.id;
    entry.result = "failed";
    entry.summary = refusal.reason;
    entry.steps.push(hideStep(hide, refusalStep(refusal, followed)));
    return;
  }
  const location = response.headers.find(([name]) => name === "Location")?.[1];
  if (location === undefined) return;
  const { origin, pathname, searchParams } = new URL(location);
  entry.steps.push(
    hideStep(hide, {
      title: "Authorization request",
      at,
      facts: [
        ["sent to", origin + pathname],
        ...seen.calls.filter(({ endpoint }) => endpoint === "par").flatMap(pushedFacts),
        ...parameterFacts(searchParams),
      ],
      cookies: setCookiesOf(response),
    }),
  );
}

function pushedFacts({ address, form }: Followed["seen"]["calls"][number]): readonly Fact[] {
  const pushed = [...form].map(([name, value]): Fact => [
    `${name} (pushed)`,
    maskParameter(name, value),
  ]);
  return [["pushed to", address], ...pushed];
}
