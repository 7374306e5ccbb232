import { portraitPath } from "../users/portrait.ts";
import type { User } from "../users/sample-users.ts";
import type { Speech, Words } from "../words/words.ts";
import type { Markup } from "../../http/html.ts";
import { html } from "../../http/html.ts";
import { fill, fillText } from "./fill.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** What the sign-in page shows. */
export interface SignInView {
  readonly speech: Speech;
  /** The application of the request. */
  readonly appName: string;
  /** The path of the issuer, without a final slash. */
  readonly basePath: string;
  /** The ID of this sign-in, in the address for the form. */
  readonly interaction: string;
  /** Where its form may end, as sources of a policy. */
  readonly formTargets: readonly string[];
  readonly users: readonly User[];
  /** A `login_hint`: an email address, `sub` or name. The person it names comes first. */
  readonly hint: string | undefined;
  /** `sub` of the person who is already signed in here. */
  readonly current: string | undefined;
  /** The organization from the request. */
  readonly organization: string | undefined;
}

/** The page to choose one of the sample users: one button a person, no script. */
export function signInPage(view: SignInView): Page {
  const { speech, appName, basePath, interaction, formTargets } = view;
  const { words } = speech;
  const users = hintedFirst(view);
  return page({
    speech,
    title: fillText(words.signInTo, { app: appName }),
    content: html`<p>${words.choosePerson}</p>
      ${organizationLine(view)}
      <form method="post" action="${basePath}/interaction/${interaction}">
        <ul>
          ${users.map((person, i) => html`<li>${personButton(person, view, i === 0)}</li>`)}
        </ul>
        <button class="cancel" name="cancel" value="yes">${words.cancel}</button>
      </form>`,
    formTargets,
  });
}

function organizationLine({ speech, appName, organization }: SignInView): Markup {
  if (organization === undefined) return html``;
  return html`<p>${fill(speech.words.asksForOrganization, { app: appName, organization })}</p>`;
}

function personButton(person: User, view: SignInView, first: boolean): Markup {
  const suggested = first && isHinted(person, view.hint);
  const marks = suggested ? html` data-suggested autofocus` : html``;
  const { words } = view.speech;
  const tag = suggested
    ? words.suggested
    : person.sub === view.current
      ? words.signedInHere
      : undefined;
  const facts = [person.email, person.org_name, remarkOf(person, words)].filter(
    (fact) => fact !== undefined,
  );
  return html`<button class="person" name="person" value="${person.sub}" ${marks}>
    <img src="${view.basePath}${portraitPath(person)}" width="44" height="44" alt="" />
    <span class="who"
      ><b><bdi>${person.name}</bdi></b>
      <span class="facts">${facts.map((fact) => html`<span><bdi>${fact}</bdi></span>`)}</span
      >${tag === undefined ? html`` : html`<span class="tag">${tag}</span>`}
    </span>
  </button>`;
}

/** Remarks of sample users are translated. */
function remarkOf({ remark }: User, { remarks }: Words): string | undefined {
  const known: Readonly<Record<string, string>> = remarks;
  return remark === undefined ? undefined : (known[remark] ?? remark);
}

function hintedFirst({ users, hint }: SignInView): readonly User[] {
  const hinted = users.find((person) => isHinted(person, hint));
  if (hinted === undefined) return users;
  return [hinted, ...users.filter((person) => person !== hinted)];
}

function isHinted(person: User, hint: string | undefined): boolean {
  if (hint === undefined || hint === "") return false;
  const wanted = hint.toLowerCase();
  return [person.email, person.sub, person.name].some((text) => text.toLowerCase() === wanted);
}
