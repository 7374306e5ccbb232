import type { EmailField, SignInChoice, SignInNotice, SignInWay } from "../config/pages.ts";
import type { Runtime } from "../config/runtime.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { html, type ResponseParts } from "../http/response-parts.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import { chooserURL, homeURL } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import { foundSession, type SessionResult } from "../session/read-session.ts";
import { isAtHost, requiredBy, takesEmail } from "./offered-here.ts";
import { carriedFields } from "./login-request.ts";

/** What has led to the question how to sign in. */
export interface Question {
  /** Everything that the login was given. */
  readonly source: URLSearchParams;
  /** The ways to choose from, if they are not all of those offered here. */
  readonly among?: readonly Connection[] | undefined;
  readonly notice?: SignInNotice | undefined;
  /** The address that finds no way. */
  readonly email?: Pick<EmailField, "fault" | "value"> | undefined;
}

/**
 * Shows the page on which the user chooses how to sign in. Nothing has been started by then.
 *
 * @throws {Refusal} `connection_unavailable` if no way is offered here
 */
export async function signInPage(
  context: Context,
  exchange: Exchange,
  question: Question,
): Promise<ResponseParts> {
  const choice = await choiceOf(context, exchange, question);
  const page = await context.pages.signIn(choice, exchange.request);
  return isOutage(choice) ? html(page, 503, [...headers, retryLater]) : html(page, 200, headers);
}

const retryLater = ["Retry-After", "5"] as const;

/** Whether no way can be expected to work. An email address may still find another one. */
function isOutage({ ways, email }: Pick<SignInChoice, "email" | "ways">): boolean {
  return email === undefined && ways.every(({ note }) => note === "down");
}

/** A form without a referrer at all would arrive without its origin. */
const headers = [
  ["Cache-Control", "no-store"],
  ["Referrer-Policy", "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
] as const;

async function choiceOf(
  context: Context,
  exchange: Exchange,
  { source, among, notice: given, email }: Question,
): Promise<SignInChoice> {
  const { config, connections, signIns } = context;
  const here = connections.all.filter((each) => isAtHost(each, config));
  const required = await requiredBy(context, source.get("stepUp"));
  const only = among ?? (required.length > 0 ? required : undefined);
  const shown = only ?? here.filter(({ hidden }) => !hidden);
  const hasDomains = only === undefined && takesEmail(connections, here);
  if (shown.length === 0 && !hasDomains) throw new Refusal("connection_unavailable", noWay);
  const ended = endedOf(connections, await exchange.read().catch(() => null), here);
  const used = signIns.lastConnection.read(exchange.cookies);
  const first = ended?.id ?? used;
  const told = given ?? noticeIn(source, here);
  const refused = told?.kind === "refused" ? source.get("from") : null;
  const offered = {
    ways: waysOf(shown, { first, used, refused }),
    ...(hasDomains && { email: { isFirst: isMostlyHidden(here), value: "", ...email } }),
  };
  const notice = told ?? (isOutage(offered) ? ({ kind: "down" } as const) : noticeOfEnd(ended));
  callAgain(context, shown);
  return {
    ...offered,
    ...(notice !== undefined && { notice }),
    isAsked: source.has("returnTo") || source.has("target_link_uri"),
    isShared: source.get("shared") === "1",
    action: chooserURL(config),
    fields: carriedFields(connections.all, source).filter(([name]) => name !== "shared"),
    homeURL: homeURL(config),
  };
}

/** A provider that is down is called again, as often as its failures allow, and no user waits. */
function callAgain(
  { background }: Pick<Runtime, "background">,
  shown: readonly Connection[],
): void {
  for (const { issuer } of shown.filter(isDown)) background.run("renewal", issuer.warmUp());
}

function isDown({ issuer }: Connection): boolean {
  return issuer.health().state === "down";
}

const noWay = {
  detail: "no connection is offered at this host: all are hidden, or for other hosts",
  page: "no-way",
} as const;

interface Preference {
  /** The id of the way to show first; `null` for the order of the settings. */
  readonly first: string | null;
  /** The id of the way used last. */
  readonly used: string | null;
  /** The id of the way that did not let the user in. */
  readonly refused: string | null;
}

function waysOf(
  connections: readonly Connection[],
  { first, used, refused }: Preference,
): readonly SignInWay[] {
  const isFirst = ({ id }: Connection) => id === first;
  const ordered = [...connections.filter(isFirst), ...connections.filter((each) => !isFirst(each))];
  const ways = ordered.map((each) => {
    const { id, label } = each;
    return { id, label, note: noteOf(each, { isUsed: id === used }) };
  });
  const others = ways.filter(({ id }) => id !== refused);
  const suggested = others.find(({ note }) => note !== "down") ?? others[0];
  return ways.map((way) => ({ ...way, isSuggested: way.id === suggested?.id }));
}

function noteOf(
  connection: Connection,
  { isUsed }: { readonly isUsed: boolean },
): SignInWay["note"] {
  if (isDown(connection)) return "down";
  return isUsed ? "used" : undefined;
}

function isMostlyHidden(connections: readonly Connection[]): boolean {
  return connections.filter(({ hidden }) => hidden).length * 2 > connections.length;
}

const noticeKinds = ["cancelled", "refused", "removed"] as const;

/** What an address says of the sign-in before. It names a way by its id: no text comes from it. */
function noticeIn(source: URLSearchParams, here: readonly Connection[]): SignInNotice | undefined {
  const kind = noticeKinds.find((each) => each === source.get("notice"));
  if (kind === undefined) return undefined;
  return { kind, label: here.find(({ id }) => id === source.get("from"))?.label };
}

function endedOf(
  connections: Connections,
  result: SessionResult | null,
  here: readonly Connection[],
): Connection | null {
  const stored = result?.state === "ended" ? foundSession(result) : null;
  const connection = stored && connections.ofSession(stored.header);
  return connection !== null && here.includes(connection) ? connection : null;
}

function noticeOfEnd(ended: Connection | null): SignInNotice | undefined {
  return ended === null ? undefined : { kind: "ended", label: ended.label };
}
