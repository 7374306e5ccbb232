import type { EmailField, SignInChoice, SignInNotice, SignInWay } from "../config/pages.ts";
import { escapeHTML } from "../http/escape-html.ts";

/** What apps without their own page show of the ways to sign in: a form, which needs no script. */
export function choiceForm(choice: SignInChoice): readonly string[] {
  const { ways, email, notice, isAsked, isShared, action, fields, homeURL } = choice;
  const hidden = fields.map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHTML(name)}" value="${escapeHTML(value)}">`,
  );
  const buttons = [...ways.slice(0, openAtMost).map(button), ...moreWays(ways.slice(openAtMost))];
  const field = email === undefined ? [] : [emailField(email)];
  // Enter in a field presses the first button of its form.
  const parts = email?.isFirst === false ? [enter, ...buttons, ...field] : [...field, ...buttons];
  const lead = `Choose how you want to sign in.${isAsked ? " Then we'll open the page you asked for." : ""}`;
  return [
    ...(notice === undefined ? [] : [`<p role="status">${noticeOf(notice)}</p>`]),
    ...(ways.length > 1 ? [`<p>${lead}</p>`] : []),
    `<form method="post" action="${escapeHTML(action)}">${[...hidden, ...parts].join("")}${sharedOption(isShared)}</form>`,
    ...(notice?.kind === "elsewhere"
      ? [`<p><a href="${escapeHTML(homeURL)}">Not now</a></p>`]
      : []),
  ];
}

/** More ways than these are folded. */
const openAtMost = 4;

const enter = `<button class="enter" tabindex="-1" aria-hidden="true">Continue</button>`;

function moreWays(ways: readonly SignInWay[]): readonly string[] {
  if (ways.length === 0) return [];
  return [`<details><summary>More ways to sign in</summary>${ways.map(button).join("")}</details>`];
}

const notes = { used: "You used this last time.", down: "Not answering right now." };

function button({ id, label, isSuggested, note }: SignInWay): string {
  const look = isSuggested ? "" : ` class="quiet"`;
  const text = `<button name="connection" value="${escapeHTML(id)}" formnovalidate${look}>Sign in with ${escapeHTML(label)}</button>`;
  return `<p>${text}${note === undefined ? "" : `<br><small>${notes[note]}</small>`}</p>`;
}

function emailField({ value, fault }: EmailField): string {
  const isWrong = fault === undefined ? "" : ` autofocus aria-invalid="true"`;
  const input = `<input type="email" name="email" autocomplete="username" required value="${escapeHTML(value)}"${isWrong} aria-describedby="email">`;
  const about = fault === undefined ? emailHint : `<strong>${faultOf(fault, value)}</strong>`;
  return `<p><label>Work email<br>${input}</label><br><small id="email">${about}</small></p><p><button class="quiet">Continue</button></p>`;
}

const emailHint = "We use it to find the sign-in of your organization.";

function faultOf(fault: NonNullable<EmailField["fault"]>, value: string): string {
  if (fault === "malformed") return "Enter an email address, like name@example.com.";
  const domain = escapeHTML(value.slice(value.lastIndexOf("@") + 1).trim());
  return `We don't know ${domain}. Check the spelling, or choose another way.`;
}

function noticeOf({ kind, label: given }: SignInNotice): string {
  const label = given && escapeHTML(given);
  switch (kind) {
    case "cancelled":
      return "You came back without signing in. Nothing has changed.";
    case "down":
      return "None of these is answering right now. This usually passes within a few minutes.";
    case "elsewhere":
      return `Another site asked to sign you in${label ? ` with ${label}` : ""}.`;
    case "ended":
      return `You were signed in${label ? ` with ${label}` : ""}.`;
    case "refused":
      return `${label ?? "The provider"} didn't let you in. Choose another way.`;
    case "removed":
      return `You can't sign in ${label ? `with ${label} any more` : "the way you did before"}. Choose another way.`;
  }
}

function sharedOption(isShared: boolean): string {
  return `<p><label><input type="checkbox" name="shared" value="1"${isShared ? " checked" : ""}> This is a shared computer</label><br><small>You'll be signed out when the browser closes, or after 15 minutes without use.</small></p>`;
}
