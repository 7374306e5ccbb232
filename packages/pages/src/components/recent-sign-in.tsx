import { durationInWords } from "../messages/durations.ts";
import { Message } from "./message.tsx";
import { usePageFrame } from "./page-frame.tsx";

/** How old a sign-in may be for a page, at least one second. */
export function RecentSignIn({ seconds }: { seconds: number }) {
  const { words } = usePageFrame();
  const length = durationInWords(Math.max(1, seconds), words.locale);
  return <Message id="problem.forbidden.maxAge" values={{ length }} />;
}
