import type { Session } from "latchkey";
import { createContext, type ReactNode, useContext } from "react";

import { momentInWords, type MomentPhrases, type MomentStyle } from "../messages/moments.ts";
import type { MessageKey } from "../messages/catalogue.ts";
import type { Words } from "../messages/words.ts";
import type { AccessDetails } from "./access-details.ts";
import type { DeviceName } from "./device-name.ts";

/** A link of the app, for the navigation of signed-in people. */
export interface SiteLink {
  readonly href: string;
  readonly label: string | { readonly message: MessageKey };
}

/** Facts about the app for every page. */
export interface Site {
  readonly app: string;
  /** The picture beside its name, or one for each scheme; absent for the door. */
  readonly logo?: string | readonly [light: string, dark: string] | undefined;
  /** Whether the name stands beside the logo. By default true. */
  readonly showName?: boolean | undefined;
  /** Whether pages have the drawing of a door. By default true. */
  readonly door?: boolean | undefined;
  /** Whether this page is light, dark, or by default as the device prefers. */
  readonly scheme?: "auto" | "light" | "dark" | undefined;
  /** The address at which a refused user requests access; `undefined` without one. */
  readonly accessURL?: ((details: AccessDetails) => string | undefined) | undefined;
  readonly support?: { readonly name: string; readonly url?: string | undefined } | undefined;
  /** Address of the account at the provider. */
  readonly providerURL?: string | undefined;
  /** Public address of the app, without a slash at the end. */
  readonly baseURL: string;
  readonly host: string;
  /** What stands before the path of every page, e.g. `/_auth`; empty for pages at the root. */
  readonly root: string;
  /** The home page of the app. */
  readonly homeURL: string;
  /** Links of the app, beside those to our pages. */
  readonly links: readonly SiteLink[];
  /** Whole addresses of the two routes. */
  readonly loginURL: string;
  readonly logoutURL: string;
  /** Allowed origins of profile pictures; without one, initials are shown. */
  readonly pictureSources: readonly string[];
  /** Whether users choose between several ways to sign in. Default: false. */
  readonly hasSeveralWays?: boolean;
  /** Shows what only developers need. */
  readonly development: boolean;
}

/** A sign-in on another device, which the user has not seen in this browser yet. */
export interface NewSignIn {
  /** Of the device. */
  readonly id: string;
  /** Epoch seconds. */
  readonly at: number;
  readonly device: DeviceName;
  /** Further new sign-ins. */
  readonly more: number;
  /** The path of the page below the root of pages: an answer leads back to it. */
  readonly from: string;
}

/** With what a user has signed in, if the app has several ways. */
export interface SignInWay {
  /** The id. */
  readonly connection: string;
  readonly label: string;
}

/** Values for every part of a page. */
export interface PageFrame {
  readonly site: Site;
  readonly words: Words;
  /** The server's clock when the page was made, epoch seconds. */
  readonly now: number;
  /** Time zone for moments; absent for the browser's own. */
  readonly zone?: string;
  /** That of the user; absent on public pages. */
  readonly session?: Session;
  /** That of the session; absent if the app has only one. */
  readonly way?: SignInWay | undefined;
  /** For the question whether it was the user; absent without one. */
  readonly newSignIn?: NewSignIn | undefined;
  /** Whether the user has just signed in again, because a page demanded it. Default: false. */
  readonly hasSteppedUp?: boolean | undefined;
}

const FrameContext = createContext<PageFrame | null>(null);

/** Gives a page its frame. */
export function FramedPage({ frame, children }: { frame: PageFrame; children: ReactNode }) {
  return <FrameContext value={frame}>{children}</FrameContext>;
}

/** The frame of the page around. */
export function usePageFrame(): PageFrame {
  const frame = useContext(FrameContext);
  if (frame === null) throw new Error("usePageFrame needs a <FramedPage> around it.");
  return frame;
}

const phrasesOf = new WeakMap<Words, MomentPhrases>();

/** The phrases for moments, out of the catalogue. */
export function momentPhrases(words: Words): MomentPhrases {
  const phrases = phrasesOf.get(words) ?? makePhrases(words);
  phrasesOf.set(words, phrases);
  return phrases;
}

function makePhrases(words: Words): MomentPhrases {
  const kept = { time: "{time}", date: "{date}" };
  return {
    today: words.text("when.today", kept),
    tomorrow: words.text("when.tomorrow", kept),
    yesterday: words.text("when.yesterday", kept),
    date: words.text("when.date", kept),
  };
}

/** A moment in the words of the page around. */
export function useMoment(): (at: number, style?: MomentStyle) => string {
  const { words, now, zone } = usePageFrame();
  const phrases = momentPhrases(words);
  return (at, style = "day") =>
    momentInWords(at, style, { locale: words.locale, zone, now, phrases });
}
