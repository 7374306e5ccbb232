import type { Session } from "latchkey";
import type { ReactNode } from "react";

import type { DoorState } from "../components/door/door-mark.tsx";
import type { NewSignIn, SignInWay } from "../components/page-frame.tsx";
import type { MessageKey } from "../messages/catalogue.ts";
import type { Values } from "../messages/words.ts";
import type { SheetName } from "./style-sheets.ts";

/** What a page is called, in the words of its reader. */
export interface PageTitle {
  readonly id: MessageKey;
  readonly values?: Values;
  /** The title of a problem. */
  readonly isError?: boolean;
}

interface PageFacts {
  /** The provider that messages name; by default that of the app. */
  readonly provider?: string | undefined;
  readonly title: PageTitle;
  /**
   * Names in the query; a script removes them from the address, so that a reload does not send them
   * again.
   */
  readonly passing?: readonly string[];
  readonly content: ReactNode;
}

/** A page for everyone. It needs no script. */
export interface PublicPage extends PageFacts {
  readonly access: "public";
  /** What the light of the door says. */
  readonly state: DoorState;
}

/**
 * A page for the person of a session. A script watches the session; islands hydrate if they are
 * needed.
 */
export interface SignedInPage extends PageFacts {
  readonly access: "signed-in";
  readonly session: Session;
  readonly sheet: Exclude<SheetName, "public">;
  /** That of the session; absent if there is no other. */
  readonly way?: SignInWay | undefined;
  /** A sign-in on another device, for the question whether it was the user. */
  readonly newSignIn?: NewSignIn | undefined;
  /** Whether the user has just signed in again, because a page demanded it. Default: false. */
  readonly hasSteppedUp?: boolean;
}

/** A page as a value: what it is called, who may see it, and what it shows. */
export type Page = PublicPage | SignedInPage;
