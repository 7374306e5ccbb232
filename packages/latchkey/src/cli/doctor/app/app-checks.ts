import { reasons } from "../../../errors/reasons.ts";
import { isSealedState } from "../../../relay/relayed-state.ts";
import { redirectURI } from "../../../oidc/authorization-request.ts";
import { bare, isBusy, isResponse, later, locationOf, type Response } from "../ask.ts";
import { type Check, failure, type Judgement, note, notKnown, ok, warning } from "../finding.ts";
import { judgeDevice } from "./judge-device.ts";
import { judgeForms, judgePosted } from "./judge-forms.ts";
import { type AppAnswers, isNear, loginsOf } from "./ask-app.ts";
import { judgeHeaders, judgeResponseHeaders } from "./judge-sizes.ts";
import { judgeInstances, judgeTransactionCookies } from "./judge-cookies.ts";

interface AppFacts extends AppAnswers {
  /** The authorization endpoint of the provider in the settings; `null` if it is not known. */
  readonly authorizationEndpoint: string | null;
  readonly endSessionEndpoint: string | null;
  /** The provider has had too many requests, so the app gets no answer either. */
  readonly isProviderBusy: boolean;
}

function judgeOrigin({ address, config }: Pick<AppAnswers, "address" | "config">): Judgement {
  const opened = new URL(address).origin;
  return opened === config.origin
    ? ok
    : failure(
        `The app is opened at ${opened}, and LATCHKEY_BASE_URL is ${config.baseURL}: cookies of one are not sent to the other.`,
        `Open ${config.baseURL}, or set LATCHKEY_BASE_URL to the address that users open.`,
      );
}

function judgeRoutes({ me: [me], signedOut, config }: AppAnswers): Judgement {
  if (me === undefined || me.kind === "fault") {
    return failure(
      `The app at ${bare(me?.url ?? config.baseURL)} does not answer: ${me?.message ?? ""}.`,
      "Start the app, and correct the address.",
    );
  }
  const at = bare(me.url);
  if (isBusy(me)) return notKnown(`${at} answers ${me.status}: the app is busy.`, later);
  if (me.status >= 300 && me.status < 400) return ok;
  if (me.status === 500 && notSetUp.test(me.text)) {
    return failure(
      `${at} reaches Latchkey, which cannot use its settings.`,
      "The log of the app names them. If .env.local has them, the app does not read this file: start it by latchkey provider -- <command> or node --env-file=.env.local.",
    );
  }
  if (me.status !== 204) {
    const isPage = me.status < 400 && /html/.test(me.headers.get("content-type") ?? "");
    const what = isPage ? "a web page" : me.status;
    return failure(
      `${at} answers with ${what}, not with 204: the request does not reach Latchkey.`,
      `Mount the middleware before the app's own routes. A development server with a proxy must pass ${config.routes.prefix} and ${config.pagesPrefix} on.`,
    );
  }
  if (isResponse(signedOut) && !isOwnPage(signedOut)) {
    return failure(
      `${config.routes.prefix} reaches Latchkey, and ${config.pagesPrefix} does not.`,
      `Pass ${config.pagesPrefix} on, too, and let the framework route it.`,
    );
  }
  return ok;
}

/** What the app answers then, as a text or as the page that lists the variables. */
const notSetUp = /Sign-in is not set up yet|LATCHKEY_/;

/** A development server answers with its own page, which may be stored. */
function isOwnPage({ status, headers }: Response): boolean {
  const isStored = !/no-store/.test(headers.get("cache-control") ?? "");
  return status !== 404 && !(status === 200 && isStored);
}

function judgeRedirects({ me: [me], callback, moved, config }: AppAnswers): Judgement {
  const lost =
    [callback, me].filter(isResponse).find(isNear) ??
    moved.find(({ status }) => config.responseMode === "form_post" && status < 307);
  if (lost !== undefined) {
    return failure(
      `${bare(lost.url)} redirects to ${bare(locationOf(lost)?.href ?? "")}, so the response of the provider is lost.`,
      "Leave the auth routes out of redirects for slashes, hosts, languages and https, or set LATCHKEY_BASE_URL to the final address.",
    );
  }
  const [first] = moved;
  return first === undefined
    ? ok
    : note(`${bare(first.url)} redirects to ${bare(locationOf(first)?.href ?? "")} first.`);
}

function judgeLogin(answers: AppFacts): readonly Judgement[] {
  const { config, authorizationEndpoint } = answers;
  const [login] = loginsOf(answers);
  const location = login && locationOf(login);
  if (location === null || location === undefined) {
    const [first] = answers.logins;
    if (answers.isProviderBusy || (isResponse(first) && isBusy(first))) {
      return [notKnown(`${config.routes.login} meets a limit for the rate of requests.`, later)];
    }
    const status = isResponse(first) ? first.status : "nothing";
    return [
      failure(
        `${config.routes.login} answers ${status}, and leads to no provider.`,
        "The log of the app says why.",
      ),
    ];
  }
  const wanted = [
    ["client_id", config.clientID, "LATCHKEY_CLIENT_ID"],
    ["redirect_uri", redirectURI(config), "LATCHKEY_BASE_URL"],
  ] as const;
  // A pushed request keeps all but the client to itself, and the relay has a check of its own.
  const isRelayed = isSealedState(location.searchParams.get("state") ?? "");
  const isHidden = isRelayed || location.searchParams.has("request_uri");
  const visible = isHidden ? wanted.slice(0, 1) : wanted;
  const wrong = visible.flatMap(([name, value, variable]) => {
    const sent = location.searchParams.get(name) ?? "nothing";
    return sent === value ? [] : [judgeOther(`${name}=${sent}`, value, variable)];
  });
  const at = bare(location.href);
  if (location.searchParams.has("at") && location.pathname.endsWith(config.routes.login)) {
    return [
      judgeOther(`users to its base URL, ${location.origin}`, config.baseURL, "LATCHKEY_BASE_URL"),
    ];
  }
  if (authorizationEndpoint !== null && at !== bare(authorizationEndpoint)) {
    wrong.unshift(judgeOther(`users to ${at}`, authorizationEndpoint, "LATCHKEY_ISSUER_BASE_URL"));
  }
  return wrong.length > 0 ? wrong : [ok];
}

function judgeOther(sent: string, wanted: string, variable: string): Judgement {
  return failure(
    `The app sends ${sent}, and the settings read here say ${wanted}.`,
    `The app runs with another ${variable}: restart it, or read its settings here.`,
  );
}

function judgeCallback({ callback, returns, config }: AppAnswers): Judgement {
  if (returns.some((each) => isResponse(each) && each.text.includes(reasons.state_missing.text))) {
    return failure(
      "The callback gets no query: a proxy drops it.",
      "Let the proxy pass the whole address on, with what follows the question mark.",
    );
  }
  if (!isResponse(callback) || isBusy(callback)) return ok;
  const { status } = callback;
  const isSentToLogin = locationOf(callback)?.pathname === config.basePath + config.routes.login;
  if (isOwnPage(callback) && !(status >= 300 && status < 400 && isSentToLogin)) return ok;
  return failure(
    `${bare(callback.url)} answers ${status}: the callback does not reach Latchkey.`,
    config.basePath === ""
      ? "See that a proxy neither adds nor removes the path in front of it."
      : `See that the proxy passes ${config.basePath} on once: neither twice nor not at all.`,
  );
}

function judgeCaches(answers: AppAnswers): Judgement {
  const states = loginsOf(answers).map((each) => locationOf(each)?.searchParams.get("state"));
  const [first, second] = states;
  if (first != null && first === second) {
    return failure(
      "Two sign-ins got the same state: a cache answers in place of the app.",
      "Exclude the auth routes from the cache.",
    );
  }
  const stored = [...answers.me, ...answers.logins].filter(isResponse).find(({ headers }) => {
    const hit = headers.get("x-cache") ?? headers.get("cf-cache-status") ?? "";
    return headers.has("age") || /\bhit\b/i.test(hit);
  });
  if (stored !== undefined) {
    return failure(
      `${bare(stored.url)} comes from a cache.`,
      "Exclude the auth routes from the cache.",
    );
  }
  const rewritten = answers.logins
    .filter(isResponse)
    .filter((answer) => !isBusy(answer))
    .find(({ headers }) => !/no-store/.test(headers.get("cache-control") ?? ""));
  return rewritten === undefined || loginsOf(answers).length === 0
    ? ok
    : warning(
        `Cache-Control of ${bare(rewritten.url)} was rewritten.`,
        "Let the proxy pass Cache-Control on unchanged.",
      );
}

/** The check that needs no answer: at another address the others would find its consequences. */
export const addressChecks: readonly Check<Pick<AppAnswers, "address" | "config">>[] = [
  { id: "D29", title: "address of the app", judge: judgeOrigin },
];

/** Checks of what the running app answered. */
export const appChecks: readonly Check<AppFacts>[] = [
  { id: "D37", title: "redirects in front of the auth routes", judge: judgeRedirects },
  { id: "D28", title: "auth routes", judge: judgeRoutes, after: ["D37"] },
  { id: "D36", title: "caches", judge: judgeCaches, after: ["D28", "D37"] },
  { id: "D35", title: "callback", judge: judgeCallback, after: ["D28", "D37"] },
  {
    id: "D30",
    title: "login",
    judge: judgeLogin,
    after: ["D12", "D13", "D14", "D15", "D28", "D37"],
  },
  {
    id: "D31",
    title: "transaction cookie",
    judge: judgeTransactionCookies,
    after: ["D28", "D30", "D36", "D37"],
  },
  {
    id: "D39",
    title: "instances of the app",
    judge: judgeInstances,
    after: ["D28", "D30", "D31", "D35", "D36", "D37"],
  },
  { id: "D41", title: "what the provider posts", judge: judgePosted, after: ["D28", "D37"] },
  { id: "D42", title: "forms of the app", judge: judgeForms, after: ["D28", "D37"] },
  { id: "D44", title: "sessions bound to devices", judge: judgeDevice, after: ["D28", "D37"] },
  { id: "D32", title: "size of the request headers", judge: judgeHeaders, after: ["D28", "D37"] },
  {
    id: "D33",
    title: "size of the response headers",
    judge: judgeResponseHeaders,
    after: ["D28", "D30", "D37"],
  },
];
