import { useEffect, useRef } from "react";

/** Replaces the title of the tab, and its icon if given, while `title` is not `null`. */
export function useTabTitle(title: string | null, icon: string | undefined): void {
  const active = title !== null;
  const ours = useRef("");
  useEffect(() => {
    if (!active) return undefined;
    const link = icon ? document.querySelector("link[rel~=icon]") : null;
    const before = { title: document.title, icon: link?.getAttribute("href") };
    if (icon) link?.setAttribute("href", icon);
    return () => {
      // A title set by the app meanwhile stays.
      if (document.title === ours.current) document.title = before.title;
      if (before.icon) link?.setAttribute("href", before.icon);
    };
  }, [active, icon]);
  useEffect(() => {
    if (title !== null) ours.current = document.title = title;
  }, [title]);
}
