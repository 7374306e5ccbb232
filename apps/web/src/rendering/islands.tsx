import type { Session } from "latchkey";
import type { InitialSession } from "latchkey/react";
import { renderToString } from "react-dom/server";

import { type Boot, islandMessages } from "../client/boot.ts";
import type { PageFrame } from "../components/page-frame.tsx";
import { type LiveFacts, LiveFrame } from "../live/live-frame.tsx";
import { liveWords } from "../messages/live-words.ts";
import type { SignedInPage } from "./page.ts";
import type { RenderContext } from "./render-context.ts";

/** A page whose islands the browser can bring to life. */
export interface RenderedIslands {
  readonly markup: string;
  /** What the browser needs for it: JSON that may stand inside HTML. */
  readonly boot: string;
}

/** Renders the content of a page for a signed-in person, with what its islands start from. */
export function islandsOf(
  { content, session }: SignedInPage,
  frame: PageFrame,
  { paths, vocabulary }: RenderContext,
): RenderedIslands {
  const { site, words, now } = frame;
  const facts: LiveFacts = {
    seed: seedOf(session, now),
    paths,
    words: liveWords(words, { app: site.app, provider: site.provider }),
  };
  const boot: Boot = {
    ...facts,
    site,
    now,
    language: words.language,
    locale: words.locale,
    messages: vocabulary.messagesFor(words.language, islandMessages),
  };
  return {
    markup: renderToString(
      <LiveFrame frame={frame} facts={facts}>
        {content}
      </LiveFrame>,
    ),
    boot: JSON.stringify(boot).replaceAll("<", String.raw`\u003c`),
  };
}

/** Claims that pages need in the browser from the first frame on; the rest stays on the server. */
const seededClaims: ReadonlySet<string> = new Set([
  "sub",
  "name",
  "preferred_username",
  "nickname",
  "email",
  "picture",
  "org_id",
  "org_name",
]);

function seedOf({ user, times }: Session, now: number): InitialSession {
  const claims = Object.entries(user).filter(([name]) => seededClaims.has(name));
  const { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt } = times;
  return {
    user: { ...Object.fromEntries(claims), sub: user.sub },
    times: { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt },
    now,
  };
}
