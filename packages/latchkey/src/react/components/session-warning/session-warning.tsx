import { useEffect, useState, type ReactNode } from "react";
import { AbsoluteWarning } from "./absolute-warning.tsx";
import { useSurroundings } from "../../hooks/sign-in-context.ts";
import { EndedNotice, OtherPersonNotice } from "./ended-notice.tsx";
import { IdleWarning } from "./idle-warning.tsx";
import { dayInWords, leftOnAClock, timeOfDay } from "../../text/phrases.tsx";
import type { Claims, SignInOf, Times } from "../../client/session-state.ts";
import { takeAgainMark } from "./signed-in-again.ts";
import { Toast, useToast } from "../toast.tsx";
import { useHydrated, useVisible } from "../../hooks/use-browser.ts";
import { useSignInAs } from "../../hooks/use-sign-in.ts";
import { useTabTitle } from "../../hooks/use-tab-title.ts";
import { useWarning } from "../../hooks/use-warning.ts";
import { useWords } from "../../hooks/use-words.ts";

export interface SessionWarningProps {
  /** Something on this page is not saved: the warning then says that it may be lost. */
  readonly unsaved?: boolean | undefined;
  /** Address of an icon for the tab while it is out of sight and its session is about to end. */
  readonly endingIcon?: string | undefined;
}

type Person = Extract<SignInOf<Claims>, { status: "signed-in" }>;

/**
 * Tells people before their session ends, and when it has ended. Place it once, anywhere below the provider.
 * It shows nothing otherwise.
 */
export function SessionWarning({ unsaved = false, endingIcon }: SessionWarningProps): ReactNode {
  const me = useSignInAs<Claims>("SessionWarning");
  const last = useLastPerson(me);
  const { client } = useSurroundings();
  // A dialog is opened by a script, and its links know the page that they are on.
  const hydrated = useHydrated();
  const { said, say } = useToast(client.clock);
  useSignedInAgain(me, last, say);
  return (
    <>
      <Toast>{said}</Toast>
      {me.status === "signed-in" && last?.user.sub !== me.user.sub ? (
        <OtherPersonNotice name={me.user.email ?? me.user.name ?? me.user.sub} />
      ) : me.status === "signed-in" && hydrated ? (
        <Warnings unsaved={unsaved} endingIcon={endingIcon} session={me.session} say={say} />
      ) : last && me.status === "ended" ? (
        <EndedNotice key={me.reason} reason={me.reason} session={last.session} />
      ) : last && me.status === "signed-out" ? (
        <EndedNotice key={me.status} reason={me.status} session={last.session} />
      ) : null}
    </>
  );
}

/** The person this page is for: the first who was signed in here, as last known. */
function useLastPerson(me: SignInOf<Claims>): Person | null {
  const [last, setLast] = useState<Person | null>(null);
  const same = me.status === "signed-in" && (last === null || last.user.sub === me.user.sub);
  const next = same ? me : last;
  if (next !== last) setLast(next);
  return next;
}

/** Says so in the tab that was opened to sign in again, and in the tab that it was done for. */
function useSignedInAgain(
  me: SignInOf<Claims>,
  last: Person | null,
  say: (text: string, stays?: boolean) => void,
): void {
  const { lang, text } = useWords();
  const until = (me.status === "signed-in" && last?.session.absoluteEndsAt) || null;
  const [before, setBefore] = useState(until);
  useEffect(() => {
    if (takeAgainMark()) say(text("absDone"), true);
    // oxlint-disable-next-line react/exhaustive-deps -- on arrival only
  }, []);
  useEffect(() => {
    if (until === null || until === before) return;
    setBefore(until);
    if (before === null || until < before) return;
    say(text("absResumed", { date: dayInWords(lang, until), time: timeOfDay(lang, until) }));
    // oxlint-disable-next-line react/exhaustive-deps -- when the end moves, whatever else changes
  }, [until]);
}

interface WarningsProps {
  readonly unsaved: boolean;
  readonly endingIcon: string | undefined;
  readonly session: Times;
  readonly say: (text: string) => void;
}

/** The people least in a hurry still have this many seconds when a warning is first shown. */
const leastLeft = 20;

function Warnings({ unsaved, endingIcon, session, say }: WarningsProps): ReactNode {
  const { client, text } = useWords();
  const { warning, left } = useWarning();
  const visible = useVisible();
  const [shown, setShown] = useState(NaN);
  const [closed, setClosed] = useState(NaN);
  const from = warning?.from ?? NaN;
  if (warning && visible && left >= leastLeft && shown !== from) setShown(from);
  useTabTitle(
    warning && !visible ? text("warnTab", { clock: leftOnAClock(left) }) : null,
    endingIcon,
  );
  const over = left <= 0;
  useEffect(() => {
    if (over) void client.look();
  }, [client, over]);
  if (!warning || shown !== from || closed === from) return null;
  if (warning.kind === "absolute") {
    const duration = session.absoluteDuration;
    const close = (): void => setClosed(from);
    return <AbsoluteWarning key={from} {...{ warning, left, duration }} onClose={close} />;
  }
  const extended = (): void => say(text("warnExtended"));
  return <IdleWarning key={from} left={left} unsaved={unsaved} onExtended={extended} />;
}
