import type { Session } from "latchkey";
import { createSessionClient } from "latchkey/react";
import { renderToStaticMarkup } from "react-dom/server";

import type { Boot, SharedBoot } from "../client/boot.ts";
import { FramedPage, type PageFrame } from "../components/page-frame.tsx";
import { LiveFrame, type LiveFacts } from "../live/live-frame.tsx";
import type { Words } from "../messages/words.ts";
import type { SignedInPage } from "./page.ts";
import type { RenderContext } from "./render-context.ts";

/** A page whose islands the browser can bring to life. */
export interface RenderedIslands {
  readonly body: string;
  /** What they start from: JSON. */
  readonly seed: string;
}

/** Renders the content of a page for a signed-in person, with what its islands start from. */
export function islandsOf(
  { content, session, way, newSignIn, hasSteppedUp }: SignedInPage,
  frame: PageFrame,
  { paths, liveWords }: RenderContext,
): RenderedIslands {
  const seed = { ...seedOf(session, frame.now), ...way };
  const facts: LiveFacts = { seed, paths, words: liveWords.of(frame.words) };
  const client = createSessionClient({ paths, initialSession: seed });
  return {
    body: renderToStaticMarkup(
      <LiveFrame facts={facts} client={client}>
        <FramedPage frame={{ ...frame, session, way, newSignIn, hasSteppedUp }}>
          {content}
        </FramedPage>
      </LiveFrame>,
    ),
    seed: JSON.stringify(seed),
  };
}

/** What browsers need on every page of a language to bring islands to life. */
export function sharedBoot(
  { language }: Words,
  { site, paths, liveWords, isLive }: RenderContext,
): SharedBoot {
  return {
    paths,
    isLive,
    settings: { root: site.root, pictureSources: site.pictureSources },
    wordsURL: site.root + liveWords.pathOf(language),
  };
}

/** Claims for the first frame in the browser; the rest stays on the server. */
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
