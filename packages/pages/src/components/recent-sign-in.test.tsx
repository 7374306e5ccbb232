import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { createVocabulary } from "../messages/vocabulary.ts";
import { languages } from "../messages/languages.ts";
import { FramedPage, type PageFrame } from "./page-frame.tsx";
import { RecentSignIn } from "./recent-sign-in.tsx";

const names = { app: "Harbour", provider: "Example ID", host: "localhost" };
const vocabulary = createVocabulary(names, languages);

function said(language: string, seconds: number): string {
  const words = vocabulary.wordsFor(language);
  // The sentence reads nothing of the app.
  const frame: PageFrame = { site: {} as PageFrame["site"], words, now: 0 };
  return renderToStaticMarkup(
    <FramedPage frame={frame}>
      <RecentSignIn seconds={seconds} />
    </FramedPage>,
  );
}

test.each([
  ["en", 86_400, "1 day"],
  ["en", 300, "5 minutes"],
  ["en", 5400, "1 hour 30 minutes"],
  ["en", 0, "1 second"],
  ["ar", 10_800, "3 ساعات"],
  ["de", 172_800, "2 Tage"],
  ["es", 86_400, "1 día"],
  ["fr", 86_400, "1\u00a0jour"],
  ["it", 86_400, "1 giorno"],
  ["ja", 300, "5 分"],
  ["nl", 3600, "1 uur"],
  ["pl", 300, "5 minut"],
  ["pt-BR", 86_400, "1 dia"],
])("in %s the age of a sign-in, %d seconds, is called %s", (language, seconds, length) => {
  expect(said(language, seconds)).toContain(length);
});
