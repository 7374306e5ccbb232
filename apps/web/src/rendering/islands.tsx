import type { Session } from "latchkey";
import { createSessionClient } from "latchkey/react";
import { renderToStaticMarkup } from "react-dom/server";

import type { Boot } from "../client/boot.ts";
import { FramedPage, type PageFrame } from "../components/page-frame.tsx";
import { LiveFrame, type LiveFacts } from "../live/live-frame.tsx";
import type { SignedInPage } from "./page.ts";
import type { RenderContext } from "./render-context.ts";

/** A page whose islands the browser can bring to life. */
export interface RenderedIslands {
  readonly body: string;
  /** What the browser needs for it: JSON. */
  readonly boot: string;
}

/** Renders the content of a page for a signed-in person, with what its islands start from. */
export function islandsOf(
  { content, session }: SignedInPage,
  frame: PageFrame,
  { paths, liveWords, isLive }: RenderContext,
): RenderedIslands {
  const { site, words, now } = frame;
  const settings = { root: site.root, pictureSources: site.pictureSources };
  const facts: LiveFacts & Pick<Boot, "seed"> = {
    seed: seedOf(session, now),
    paths,
    words: liveWords.of(words),
  };
  const boot: Boot = {
    seed: facts.seed,
    paths,
    isLive,
    settings,
    locale: words.locale,
    wordsURL: site.root + liveWords.pathOf(words.language),
  };
  const client = createSessionClient({ paths, initialSession: facts.seed });
  return {
    body: renderToStaticMarkup(
      <LiveFrame facts={facts} client={client}>
        <FramedPage frame={{ ...frame, session }}>{content}</FramedPage>
      </LiveFrame>,
    ),
    boot: JSON.stringify(boot),
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

function seedOf({ user, times }: Session, now: number): Boot["seed"] {
  const claims = Object.entries(user).filter(([name]) => seededClaims.has(name));
  const { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt } = times;
  return {
    user: { ...Object.fromEntries(claims), sub: user.sub },
    times: { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt },
    now,
  };
}
