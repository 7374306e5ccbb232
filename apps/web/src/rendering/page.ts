import type { Session } from "latchkey";
import type { ReactNode } from "react";

import type { DoorState } from "../components/door-mark.tsx";
import type { MessageKey } from "../messages/languages.ts";
import type { Values } from "../messages/words.ts";

/** What a page is called, in the words of its reader. */
export interface PageTitle {
  readonly id: MessageKey;
  readonly values?: Values;
  /** The title says that something went wrong. */
  readonly isError?: boolean;
}

/** A page that everybody may see. It needs no script. */
export interface PublicPage {
  readonly access: "public";
  readonly title: PageTitle;
  /** What the light of the door says. */
  readonly state: DoorState;
  /** The address may carry a used code and state: a script removes them. */
  readonly tidyAddress?: boolean;
  readonly content: ReactNode;
}

/** A page for the person of a session. Islands in it hydrate in the browser. */
export interface SignedInPage {
  readonly access: "signed-in";
  readonly session: Session;
  readonly title: PageTitle;
  readonly content: ReactNode;
}

/** A page as a value: what it is called, who may see it, and what it shows. */
export type Page = PublicPage | SignedInPage;
