import { Window } from "happy-dom";
import { ConfigError, createAuth } from "latchkey";
import { afterAll, describe, expect, test } from "vitest";

import { createVocabulary } from "../messages/vocabulary.ts";
import { languages } from "../messages/languages.ts";
import { signedOutPage } from "../pages/signed-out/signed-out-screen.tsx";
import { createLiveWords } from "../rendering/live-words.ts";
import { assetsForTests } from "../rendering/page-assets.support.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { renderState } from "./render-state.ts";
import { galleryNow } from "./people.ts";
import { exampleProblem } from "./problem-states.ts";
import { galleryStates } from "./states.ts";

const names = { app: "Harbour", provider: "Example ID", host: "app.example.com" };
const vocabulary = createVocabulary(names, languages);
const context: RenderContext = {
  site: {
    app: "Harbour",
    support: { name: "the help desk", url: "https://help.example.com/" },
    baseURL: "https://app.example.com",
    host: "app.example.com",
    root: "",
    homeURL: "https://app.example.com/",
    links: [],
    loginURL: "https://app.example.com/api/auth/login",
    logoutURL: "https://app.example.com/api/auth/logout",
    pictureSources: ["https://pictures.example.com"],
    development: true,
  },
  vocabulary,
  liveWords: createLiveWords(vocabulary, languages),
  assets: assetsForTests,
  paths: {
    login: "/api/auth/login",
    logout: "/api/auth/logout",
    me: "/api/auth/me",
    session: "/_auth/session.json",
    events: "/_auth/session-events",
    pages: "/_auth",
  },
  isLive: false,
  now: () => galleryNow,
};

const states = galleryStates("https://pictures.example.com");
const window = new Window({ settings: { disableJavaScriptEvaluation: true } });
afterAll(() => window.happyDOM.close());

function parsed(html: string) {
  return new window.DOMParser().parseFromString(html, "text/html");
}

/** Each state in English: most tests read these pages, and none changes one. */
const englishPages = new Map(states.map((state) => [state.id, renderState(state, "en", context)]));

function english({ id }: { readonly id: string }): string {
  const html = englishPages.get(id);
  if (html === undefined) throw new Error(`The state ${id} is gone.`);
  return html;
}

test("the gallery has every state once", () => {
  const ids = states.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

/** The states for which a check of their page finds something. */
function faultsIn(check: (state: (typeof states)[number]) => readonly string[]): readonly string[] {
  return states.flatMap((state) => check(state).map((fault) => `${state.id}: ${fault}`));
}

// Every language with `npm run ci`; else one that reads from left to right, and one that does not.
const checkedLanguages = process.env["LONG_TESTS"] === "1" ? [...languages.keys()] : ["de", "ar"];

test.each(checkedLanguages)("every state is a whole page in the language %s", (language) => {
  const direction = language === "ar" ? "rtl" : "ltr";
  const start = `<!doctype html><html lang="${language}" dir="${direction}" `;
  const faults = faultsIn((state) => {
    const html = renderState(state, language, context);
    const shown = html.slice(html.indexOf("<main"), html.indexOf("<script"));
    return [
      html.startsWith(start) ? [] : "has another start",
      /<title>[^<]*\S · Harbour<\/title>/.test(html) ? [] : "has no title",
      html.split("<h1>").length === 2 ? [] : "has not one heading",
      /\{\w+\}|\bundefined\b/.test(shown) ? "has a text that was not filled in" : [],
      html.includes("never shown") ? "shows a secret" : [],
    ].flat();
  });
  expect(faults).toEqual([]);
});

test("every page has its landmarks, a name for every control, and no id twice", () => {
  const faults = faultsIn((state) => {
    const page = parsed(english(state));
    const landmarks = ["header", "main", "footer"].filter(
      (name) => page.querySelectorAll(name).length !== 1,
    );
    const ids = [...page.querySelectorAll("[id]")].map(({ id }) => id);
    const unnamed = [...page.querySelectorAll("a, button, summary")].filter(
      (control) => (control.getAttribute("aria-label") ?? control.textContent).trim() === "",
    );
    const labels = [...page.querySelectorAll("[aria-labelledby]")].map(
      (labelled) => labelled.getAttribute("aria-labelledby") ?? "",
    );
    return [
      ...landmarks.map((name) => `not one ${name}`),
      ...ids.filter((id, nth) => ids.indexOf(id) !== nth).map((id) => `the id ${id} twice`),
      ...unnamed.map(({ outerHTML }) => `no name for ${outerHTML}`),
      ...labels.filter((label) => !ids.includes(label)).map((label) => `no label ${label}`),
    ];
  });
  expect(faults).toEqual([]);
});

test("in production visitors read the name of the app only", () => {
  const production = { ...context, site: { ...context.site, development: false } };
  const visited = states.filter(({ id }) => id !== "setup");
  const naming = visited.filter((state) => {
    const html = renderState(state, "en", production);
    return /latchkey/i.test(html.replaceAll(/<(style|script)\b.*?<\/\1>/gs, ""));
  });
  expect(naming.map(({ id }) => id)).toEqual([]);
  const texts = [...languages.values()].flatMap((catalogue) => Object.values(catalogue));
  expect(texts.filter((text) => /latchkey/i.test(JSON.stringify(text)))).toEqual([]);
});

test("every page with a copy button has the script for it", () => {
  const copying = states.map(english).filter((html) => html.includes("data-copy="));
  expect(copying.length).toBeGreaterThan(20);
  const { publicScript, copyScript } = context.assets;
  const scripts = [publicScript, copyScript];
  expect(copying.filter((html) => !scripts.some((script) => html.includes(script)))).toEqual([]);
});

test("a sentence about the provider has a link if its address is known", () => {
  const account = "https://id.example.com/account";
  const linked = states.filter(({ providerURL }) => providerURL === account);
  const texts = linked.flatMap(({ page, ...state }) =>
    [account, undefined].map((providerURL) => {
      const html = renderState({ ...state, page, providerURL }, "en", context);
      const links = parsed(html).querySelectorAll(`main a[href="${account}"]`);
      return [...links].map(({ textContent }) => textContent);
    }),
  );
  const [toAccount, toProvider] = ["sign in to Example ID", "Example ID"];
  expect(texts).toEqual([
    [toAccount],
    [],
    [toAccount],
    [],
    [toProvider],
    [],
    ["Sign out of Example ID"],
    [],
  ]);
});

test("visitors can sign in for one visit after signing out, and from problems that a sign-in solves", () => {
  const candidates = states.filter(
    (state) => /^(?:signed-out|problem)-/.test(state.id) && english(state).includes("shared=1"),
  );
  const offering = candidates.filter(
    (state) => parsed(english(state)).querySelector('main a[href*="shared=1"]') !== null,
  );
  expect(offering.map(({ id }) => id)).toEqual([
    "signed-out-ended",
    "signed-out-still",
    "signed-out-unconfirmed",
    "signed-out-unknown",
    "signed-out-all-devices",
    "signed-out-pending",
    "signed-out-without-store",
    "problem-cancelled",
    "problem-code-used",
    "problem-form-not-sent",
    "problem-link-incomplete",
    "problem-no-sign-in-in-progress",
    "problem-restart-missing",
    "problem-restart-unreadable",
    "problem-state-mismatch",
    "problem-restart-missing-redirect",
  ]);
});

test("a sign-in for one visit that starts again offers no second way", () => {
  const signInURL = "/api/auth/login?returnTo=%2Faccount&shared=1";
  const page = signedOutPage({ provider: "ended", signInURL, homeURL: "/" });
  const html = renderState({ id: "shared", title: "", page }, "en", context);
  expect(parsed(html).querySelectorAll('main a[href*="shared=1"]')).toHaveLength(1);
});

test("the page for the first run says of each setting how it stands and what to do", () => {
  const setup = states.find(({ id }) => id === "setup");
  if (setup === undefined) throw new Error("The state is gone.");
  const rows = parsed(renderState(setup, "en", context)).querySelectorAll(".settings > li");
  const said = [...rows].map((row) =>
    [...row.querySelectorAll("p:not(.made, .quiet)")].map(({ textContent }) => textContent),
  );
  expect(said).toEqual([
    ["LATCHKEY_BASE_URLReady", "Currently: http://localhost:3000"],
    [
      "LATCHKEY_ISSUER_BASE_URLNeeds fixing",
      "LATCHKEY_ISSUER_BASE_URL must be a valid uri.",
      "Currently: id.example.com",
      "Change LATCHKEY_ISSUER_BASE_URL to the issuer, exactly as the metadata of your provider spells it, such as https://id.example.com.",
    ],
    [
      "LATCHKEY_CLIENT_IDMissing",
      "LATCHKEY_CLIENT_ID is required.",
      "Set LATCHKEY_CLIENT_ID to the client ID that your provider gave this app.",
    ],
    ["LATCHKEY_CLIENT_SECRETReady"],
    [
      "LATCHKEY_SECRETNeeds fixing",
      "LATCHKEY_SECRET length must be at least 8 characters long.",
      "Change LATCHKEY_SECRET to 32 random bytes, for example the output of openssl rand -base64 32.",
    ],
  ]);
});

test("the first-run page of the gallery has the words of a real start", async () => {
  const options = {
    baseURL: "http://localhost:3000",
    issuerBaseURL: "id.example.com",
    clientID: "",
    clientSecret: "a-secret",
    secret: "secret",
  };
  const error: unknown = await createAuth(options)
    .ready()
    .catch((it: unknown) => it);
  const setup = states.find(({ id }) => id === "setup");
  if (!(error instanceof ConfigError) || setup === undefined) throw new Error("It has started.");
  const { textContent } = parsed(renderState(setup, "en", context)).body;
  const words = error.faults.flatMap(({ variable, message, remedy }) =>
    variable === "LATCHKEY_CLIENT_ID" ? [] : [`${variable} ${message}.`, remedy],
  );
  expect(words.length).toBeGreaterThan(2);
  expect(words.filter((sentence) => !textContent.includes(sentence))).toEqual([]);
});

test("no page of the gallery leaves it by itself", () => {
  const pages = states.map(english);
  expect(pages.filter((html) => html.includes("data-retry="))).toEqual([]);
  expect(pages.some((html) => html.includes(">We&#x27;ll keep trying,"))).toBe(true);
});

test.each([
  ["devices-activity", "Nothing unusual. 2 devices, last change 18 May."],
  ["devices-several", "6 devices, last change 18 May."],
  ["new-sign-in-devices", "6 devices, last change 18 May."],
])("%s begins with one line about the list", (id, line) => {
  const html = english({ id });
  const [, lead = ""] = /<p class="lead">(.*?)<\/p>/.exec(html) ?? [];
  expect(lead.replaceAll(/<[^>]*>/g, "")).toBe(line);
});

test("a refusal has one button to request access, with the page, the rule and the reference", () => {
  const site = {
    ...context.site,
    accessURL: (details: object) => `/access?${new URLSearchParams({ ...details }).toString()}`,
  };
  const shown = (id: string) => {
    const state = states.find((each) => each.id === id);
    return state === undefined ? "" : renderState(state, "en", { ...context, site });
  };
  const [, address = ""] =
    /href="(\/access[^"]*)">Ask for access/.exec(shown("problem-forbidden-unmet")) ?? [];
  const query = new URL(address.replaceAll("&amp;", "&"), "http://localhost").searchParams;
  expect(query.get("rule")).toContain("claim role: admin, owner");
  expect(query.get("reference")).toBe("7F3K-92QD");
  expect(query.get("page")).toMatch(/^http/);
  expect(shown("problem-forbidden-unmet")).not.toContain("To ask for access");
  expect(shown("problem-server-error")).not.toContain("Ask for access");
});

describe("problem pages", () => {
  const problems = states.filter(({ id }) => id.startsWith("problem-"));

  test.each(problems.map((state) => [state.id, state] as const))(
    "%s offers an action, and on an error the details to report",
    (_id, state) => {
      const html = english(state);
      expect(html).toMatch(/<div class="actions">(?:<form[^>]*>)?<(?:a|button) /);
      const isError = html.includes("<title>Error: ");
      const [, help = ""] = /<section class="help"(.*)<\/section>/s.exec(html) ?? [];
      const { reference } = exampleProblem;
      const facts = [reference, "ERR_", "HTTP "];
      expect(facts.map((fact) => help.includes(fact))).toEqual(facts.map(() => isError));
    },
  );

  function htmlOf(name: string, language = "en"): string {
    const state = problems.find(({ id }) => id === `problem-${name}`);
    if (state === undefined) throw new Error("The state is gone.");
    return renderState(state, language, context);
  }

  test("a problem page shows the words of the provider as plain text", () => {
    expect(htmlOf("provider-refused")).toContain("&lt;b&gt;Ask&lt;/b&gt;");
  });

  test("the page of a sign-in that the app has refused shows the app's sentence as plain text, and leads to another account", () => {
    const page = htmlOf("sign-in-refused-said");
    expect(page).toContain("invitation to &lt;b&gt;Harbour&lt;/b&gt;.</p>");
    expect(page).toContain(">Use a different account</a>");
  });

  test("the page for a too large session names its largest parts", () => {
    expect(htmlOf("session-too-large-parts")).toContain(
      'What takes the most space:</p><ul class="causes"><li><code dir="ltr">user.groups</code>',
    );
  });

  test("a failed page can be loaded again, unless a form has led to it", () => {
    const actionsOf = (name: string) => {
      const page = parsed(htmlOf(`server-error${name}`));
      return [...page.querySelectorAll(".actions a")].map((link) => [
        link.textContent,
        link.getAttribute("href"),
      ]);
    };
    const home = ["Go to Harbour home", "/"];
    expect(actionsOf("")).toEqual([["Try again", ""], home]);
    expect(actionsOf("-store")).toEqual([["Try again", ""], home]);
    expect(actionsOf("-callback")).toEqual([["Try again", exampleProblem.signInURL], home]);
    expect(actionsOf("-form")).toEqual([home]);
  });

  test("the page for an app with wrong settings does not call the app working", () => {
    expect(htmlOf("setup-wrong")).not.toContain(languages.get("en")?.["hop.working"]);
  });

  test("a page with alternative requirements says that one of them is enough", () => {
    expect(htmlOf("forbidden-unmet")).toContain("<code>admin or owner</code>");
    expect(htmlOf("forbidden-unmet", "de")).toContain("<code>admin oder owner</code>");
  });

  test("in production no problem page has notes for developers", () => {
    const production = { ...context, site: { ...context.site, development: false } };
    for (const state of problems) {
      expect(renderState(state, "en", production)).not.toContain("For developers");
    }
  });
});
