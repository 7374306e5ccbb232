import { escapeHTML } from "../../http/escape-html.ts";
import type { Check, Document, SetCookie, SignInEntry, Step } from "../sign-in.ts";
import { style } from "./style.ts";

/** What the page says of the app. */
export interface PageFrame {
  readonly appName: string | undefined;
  readonly signInURL: string;
}

/** Renders the recent sign-ins, newest first: complete without scripts. */
export function inspectorPage(
  entries: readonly SignInEntry[],
  { appName, signInURL }: PageFrame,
): string {
  const title = appName === undefined ? "Sign-ins" : `Sign-ins · ${escapeHTML(appName)}`;
  const viewport = `<meta name="viewport" content="width=device-width,initial-scale=1">`;
  const head = `<meta charset="utf-8">${viewport}<link rel="icon" href="data:,"><title>${title}</title><style>${style}</style>`;
  const lead = `<p class="quiet">The last 20 sign-ins of this process, in development only. Secrets are masked. Load the page again after a sign-in. <a href="${escapeHTML(signInURL)}">Sign in</a></p>`;
  const list =
    entries.length === 0
      ? "<p>No sign-in since the app started.</p>"
      : entries.map((entry, place) => signIn(entry, place === 0)).join("");
  return `<!doctype html><html lang="en">${head}<main><h1>Sign-ins</h1>${lead}${list}</main></html>`;
}

function signIn(entry: SignInEntry, isNewest: boolean): string {
  const { id, result, summary, began, steps, place = "" } = entry;
  const isOpen = isNewest || result === "failed";
  const who = summary === "" ? "" : ` <bdi>${escapeHTML(summary)}</bdi>`;
  const about = `<small>${place === "" ? "" : `${escapeHTML(place)} · `}${time(began)}${result === "failed" ? ` · ${escapeHTML(id)}` : ""}</small>`;
  // The target is inside, so that its address opens it.
  const content = failure(entry) + steps.map((step, nth) => stepSection(step, nth, began)).join("");
  return `<details class="sign-in"${isOpen ? " open" : ""}><summary><h2>${badge(result)}${who}</h2> ${about}</summary><div id="${escapeHTML(id)}">${content}</div></details>`;
}

/** The failed check comes first: it is what most readers look for. */
function failure({ steps }: SignInEntry): string {
  const failed = steps
    .flatMap(({ checks = [] }) => checks)
    .find(({ verdict }) => verdict === "failed");
  if (failed === undefined) return "";
  const { name, expected, actual } = failed;
  return `<section><p class="bad">${escapeHTML(name)}</p><dl><dt>expected<dd dir="auto">${escapeHTML(expected)}<dt>actual<dd dir="auto">${escapeHTML(actual)}</dl></section>`;
}

function badge(result: SignInEntry["result"]): string {
  if (result === "waiting") return "<span>… Waiting for the response</span>";
  return result === "failed"
    ? `<span class="bad">✗ Failed</span>`
    : `<span class="good">✓ Signed in</span>`;
}

function stepSection(step: Step, place: number, began: number): string {
  const { title, at, facts, checks, documents = [], cookies = [] } = step;
  const list = facts.map(
    ([name, value]) => `<dt>${escapeHTML(name)}<dd dir="auto">${escapeHTML(value)}`,
  );
  return [
    `<section><h3>${place + 1}. ${escapeHTML(title)} <small>+${Math.max(0, at - began)} ms</small></h3>`,
    list.length === 0 ? "" : `<dl>${list.join("")}</dl>`,
    checks === undefined ? "" : checkTable(checks),
    documents.map(documentBlock).join(""),
    cookies.length === 0 ? "" : cookieTable(cookies),
    "</section>",
  ].join("");
}

const marks = { passed: "✓ passed", failed: "✗ failed" };

function checkTable(checks: readonly Check[]): string {
  const rows = checks.flatMap(({ name, verdict, expected, actual }) =>
    verdict === "passed" || verdict === "failed"
      ? `<tr class="${verdict}"><th scope="row">${escapeHTML(name)}${cell("result", marks[verdict])}${cell("expected", expected)}${cell("actual", actual)}`
      : [],
  );
  const others = (["not needed", "not reached"] as const).map((verdict) => {
    const names = checks.filter((each) => each.verdict === verdict).map(({ name }) => name);
    return names.length === 0
      ? ""
      : `<p class="quiet">${verdict}: ${escapeHTML(names.join(", "))}</p>`;
  });
  return table(["check", "result", "expected", "actual"], rows) + others.join("");
}

function cookieTable(cookies: readonly SetCookie[]): string {
  const rows = cookies.map(
    ({ name, bytes, flags }) =>
      `<tr><th scope="row">${escapeHTML(name)}${cell("size", bytes === 0 ? "cleared" : `${bytes} bytes`)}${cell("flags", flags)}`,
  );
  return table(["cookie", "size", "flags"], rows);
}

function table(heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((each) => `<th scope="col">${each}`).join("");
  return `<table><thead><tr>${head}<tbody>${rows.join("")}</table>`;
}

function cell(of: string, value: string): string {
  return value === "" ? "<td>" : `<td data-of="${of}" dir="auto">${escapeHTML(value)}`;
}

function documentBlock({ title, text }: Document): string {
  return `<details><summary>${escapeHTML(title)}</summary><pre>${escapeHTML(text)}</pre></details>`;
}

function time(at: number): string {
  const iso = new Date(at).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
