import { parseSetCookie } from "../../../http/cookies.ts";
import { type Answer, isResponse } from "../ask.ts";
import { failure, type Judgement, note, notKnown, ok, warning } from "../finding.ts";
import type { AppAnswers } from "./ask-app.ts";

/** By the size of the refused cookie. Many proxies stop at 8 KB, and few sessions come near. */
const judgeSizes = [
  [8000, failure],
  [Infinity, note],
] as const;

/** What servers and proxies answer if headers are too large. */
const ofSize: ReadonlySet<number> = new Set([400, 413, 431, 494, 500, 502, 503]);

/** The least that a session in cookies takes, with its tokens. */
const sessionBytes = 3000;

/** The bytes of the cookies that the app sets beside those of sign-in. */
function othersOf({ home, me: [me], signedOut, config }: AppAnswers): number {
  const own = [...config.cookieNames, config.transactionCookie.name];
  const lines = [home, me, signedOut]
    .filter(isResponse)
    .flatMap(({ headers }) => headers.getSetCookie());
  const pairs = new Map(
    lines.map((line) => parseSetCookie(line)).map((each) => [each.name, each.value]),
  );
  return [...pairs]
    .filter(([name]) => !own.some((each) => name === each || name.startsWith(`${each}.`)))
    .reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0) + 3, 0);
}

function isRefusedBySize(answer: Answer): boolean {
  return !isResponse(answer) || ofSize.has(answer.status);
}

export function judgeHeaders(answers: AppAnswers): Judgement {
  const { large, config } = answers;
  const last = large.at(-1);
  const others = othersOf(answers);
  if (last !== undefined && others + sessionBytes > last.bytes && isRefusedBySize(last.answer)) {
    return failure(
      `Cookies of others on this host have ${others} bytes, and a request with ${last.bytes} is refused.`,
      "Remove cookies that no one needs, keep sessions in a store, or raise the limit of the proxy and of Node (--max-http-header-size).",
    );
  }
  if (last === undefined || (isResponse(last.answer) && last.answer.status < 400)) return ok;
  if (isResponse(last.answer) && !ofSize.has(last.answer.status)) {
    return notKnown(
      `A cookie of ${last.bytes} bytes is answered ${last.answer.status}, perhaps by a firewall or a rate limit.`,
    );
  }
  const found = isResponse(last.answer) ? `answered ${last.answer.status}` : "not answered";
  const said = `A request with a cookie of ${last.bytes} bytes is ${found}.`;
  const [, judge = note] = judgeSizes.find(([bytes]) => last.bytes <= bytes) ?? [];
  return (config.session.stateful === true ? note : judge)(
    said,
    "Keep sessions in a store (LATCHKEY_STORE, LATCHKEY_SESSION_STATEFUL=true), or raise the limit of the proxy: large_client_header_buffers of nginx, --max-http-header-size of Node.",
  );
}

export function judgeResponseHeaders({ wide, logins: [login], config }: AppAnswers): Judgement {
  const isRefused = !isResponse(wide) || wide.status >= 500;
  if (!isRefused || !isResponse(login) || login.status >= 400) return ok;
  const found = isResponse(wide) ? `answered ${wide.status}` : "not answered";
  const said = `A login whose response has more than 4 KB of headers is ${found}.`;
  const judge = config.session.stateful === true ? warning : failure;
  return judge(
    config.session.stateful === true
      ? said
      : `${said} So will be the callback of users with a large session.`,
    "Raise the limit of the proxy for headers of responses (proxy_buffer_size of nginx, to 16k), or keep sessions in a store (LATCHKEY_STORE, LATCHKEY_SESSION_STATEFUL=true).",
  );
}
