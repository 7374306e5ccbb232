import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import type { Words } from "../messages/words.ts";
import { FramedPage, type Site, usePageFrame } from "./page-frame.tsx";

const kept = new WeakMap<Site, WeakMap<Words, Map<string, string>>>();

/**
 * Inner HTML that is the same on every page of a language: rendered once, by the name of the part.
 * It may use the site and the words of the frame, and nothing else.
 */
export function useKept(name: string, content: () => ReactNode): { readonly __html: string } {
  const frame = usePageFrame();
  const { site, words } = frame;
  const languages = kept.get(site) ?? new WeakMap<Words, Map<string, string>>();
  kept.set(site, languages);
  const parts = languages.get(words) ?? new Map<string, string>();
  languages.set(words, parts);
  const html =
    parts.get(name) ?? renderToStaticMarkup(<FramedPage frame={frame}>{content()}</FramedPage>);
  parts.set(name, html);
  return { __html: html };
}
