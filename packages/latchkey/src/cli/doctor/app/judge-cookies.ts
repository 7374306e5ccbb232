import { reasons } from "../../../errors/reasons.ts";
import { parseSetCookie } from "../../../http/cookies.ts";
import { isResponse } from "../ask.ts";
import type { NamedCookie } from "../../../config/config.ts";
import { failure, type Judgement, ok } from "../finding.ts";
import { type AppAnswers, loginsOf } from "./ask-app.ts";

type SetCookie = ReturnType<typeof parseSetCookie>;

const unchanged = "Let the proxy pass Set-Cookie on unchanged.";

/** The cookies of a sign-in, on their way to the browser and back. */
export function judgeTransactionCookies(answers: AppAnswers): Judgement {
  const [login] = loginsOf(answers);
  if (login === undefined) return ok;
  const { name, attributes, binding } = answers.config.transactionCookie;
  const cookies = login.headers.getSetCookie().map((line) => parseSetCookie(line));
  for (const wanted of [{ name, attributes }, ...(binding === null ? [] : [binding])]) {
    const judgement = judgeCookie(wanted, cookies);
    if (judgement !== ok) return judgement;
  }
  return strangersOf(answers).length > 0 && strangersOf(answers).length === answers.returns.length
    ? failure(
        "The app does not receive the cookies of a request: a proxy or a CDN removes them.",
        "Let it pass the header Cookie on to the app.",
      )
    : ok;
}

function judgeCookie({ name, attributes }: NamedCookie, cookies: readonly SetCookie[]): Judgement {
  const cookie = cookies.find((each) => each.name === name || each.name.startsWith(`${name}.`));
  if (cookie === undefined) {
    const seen = cookies.map((each) => each.name).join(", ") || "no cookie at all";
    return failure(
      `Login sets ${seen} in place of ${name}: a proxy removes or renames it.`,
      unchanged,
    );
  }
  const changed = [
    attributes.secure && cookie.secure !== true ? "Secure is gone" : "",
    cookie.httpOnly === true ? "" : "HttpOnly is gone",
    String(cookie.sameSite ?? "").toLowerCase() === attributes.sameSite.toLowerCase()
      ? ""
      : `SameSite is ${String(cookie.sameSite)}`,
    cookie.path === attributes.path ? "" : `Path is ${cookie.path ?? "gone"}`,
    cookie.domain === attributes.domain ? "" : `Domain is ${cookie.domain ?? "gone"}`,
  ].filter((each) => each !== "");
  return changed.length === 0
    ? ok
    : failure(`A proxy changes the cookie ${name}: ${changed.join(", ")}.`, unchanged);
}

/** The answers of instances that could not read the cookie of the login. */
function strangersOf({ returns }: AppAnswers): readonly string[] {
  const texts = returns.filter(isResponse).map(({ text }) => text);
  return texts.filter((text) => text.includes(reasons.no_pending_login.text));
}

export function judgeInstances(answers: AppAnswers): Judgement {
  const strangers = strangersOf(answers);
  if (strangers.length === 0) return ok;
  return failure(
    `${strangers.length} of ${answers.returns.length} requests met an instance that cannot read the cookie of a login.`,
    "Give all instances of the app the same LATCHKEY_SECRET and restart them.",
  );
}
