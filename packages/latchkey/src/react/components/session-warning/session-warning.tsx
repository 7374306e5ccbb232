import { useEffect, useState, type ReactNode } from "react";
import type { Claims } from "../../client/claims.ts";
import { textClaim } from "../../client/text-claim.ts";
import type { SessionState, SessionTimes } from "../../client/session-state.ts";
import { useSignInContext } from "../../hooks/sign-in-context.ts";
import { useHydrated, useVisible } from "../../hooks/use-browser.ts";
import { useSessionState } from "../../hooks/use-session.ts";
import { useTabTitle } from "../../hooks/use-tab-title.ts";
import { useWarning } from "../../hooks/use-warning.ts";
import { useWords } from "../../hooks/use-words.ts";
import { dayInWords, remainingOnClock, timeOfDay } from "../../text/phrases.tsx";
import { Toast, useToast, type UseToastResult } from "../toast.tsx";
import { AbsoluteWarning } from "./absolute-warning.tsx";
import { EndedNotice, OtherPersonNotice } from "./ended-notice.tsx";
import { IdleWarning } from "./idle-warning.tsx";
import { takeSignedInAgain } from "./sign-in-tab.ts";

export interface SessionWarningProps {
  /** Something on this page is not saved, and the warning says so. Default: false. */
  readonly unsaved?: boolean | undefined;
  /**
   * Address of an icon for the tab while it is hidden and its session is about to end. Default: no
   * other icon.
   */
  readonly endingIcon?: string | undefined;
}

type SignedIn = Extract<SessionState<Claims>, { status: "signed-in" }>;
type ShowMessage = UseToastResult["showMessage"];

/**
 * Warns before the session ends, with a button to extend it. Shows when and why the session has
 * ended, or who else is signed in now. Otherwise shows nothing. Place it once, anywhere below the
 * provider.
 */
export function SessionWarning({ unsaved = false, endingIcon }: SessionWarningProps): ReactNode {
  const session = useSessionState<Claims>("SessionWarning");
  const first = useFirstPerson(session);
  const { client } = useSignInContext();
  // Scripts open a dialog, and its links read the address of the page: the server renders none.
  const hydrated = useHydrated();
  const { message, showMessage } = useToast(client.clock);
  useSignedInAgain(session, first, showMessage);
  return (
    <>
      <Toast>{message}</Toast>
      {session.status === "signed-in" && first?.user.sub !== session.user.sub ? (
        <OtherPersonNotice name={nameOf(session.user)} />
      ) : session.status === "signed-in" && hydrated ? (
        <Warnings times={session.times} {...{ unsaved, endingIcon, showMessage }} />
      ) : first && session.status === "signed-out" ? (
        <EndedNotice
          key={session.ended}
          reason={session.ended ?? "signed-out"}
          times={first.times}
        />
      ) : null}
    </>
  );
}

function nameOf({ email, name, sub }: Claims): string {
  return textClaim(email) ?? textClaim(name) ?? sub;
}

/**
 * Returns the user of this page: the first signed-in user, with the latest state of their session.
 */
function useFirstPerson(session: SessionState<Claims>): SignedIn | null {
  const [first, setFirst] = useState<SignedIn | null>(null);
  const isSame =
    session.status === "signed-in" && (first === null || first.user.sub === session.user.sub);
  const next = isSame ? session : first;
  if (next !== first) setFirst(next);
  return next;
}

/** Shows a message in the tab opened to sign in again, and in the tab it was opened for. */
function useSignedInAgain(
  session: SessionState<Claims>,
  first: SignedIn | null,
  showMessage: ShowMessage,
): void {
  const { lang, text } = useWords();
  const until = (session.status === "signed-in" && first?.times.absoluteEndsAt) || null;
  const [before, setBefore] = useState(until);
  useEffect(() => {
    if (takeSignedInAgain()) showMessage(text("newTabDone"), true);
    // oxlint-disable-next-line react/exhaustive-deps -- on arrival only
  }, []);
  useEffect(() => {
    if (until === null || until === before) return;
    setBefore(until);
    if (before === null || until < before) return;
    showMessage(
      text("signedInUntil", { date: dayInWords(lang, until), time: timeOfDay(lang, until) }),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- when the end moves, whatever else changes
  }, [until]);
}

interface WarningsProps {
  readonly unsaved: boolean;
  readonly endingIcon: string | undefined;
  readonly times: SessionTimes;
  readonly showMessage: ShowMessage;
}

/**
 * A warning is shown first only while at least so many seconds are left to react (WCAG 2.2, 2.2.1).
 */
const minimumSeconds = 20;

function Warnings({ unsaved, endingIcon, times, showMessage }: WarningsProps): ReactNode {
  const { client, text } = useWords();
  const { warning, left } = useWarning();
  const visible = useVisible();
  const [shown, setShown] = useState(NaN);
  const [closed, setClosed] = useState(NaN);
  const from = warning?.from ?? NaN;
  if (warning && visible && left >= minimumSeconds && shown !== from) setShown(from);
  useTabTitle(
    warning && !visible ? text("tabTitle", { clock: remainingOnClock(left) }) : null,
    endingIcon,
  );
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) void client.refetch();
  }, [client, isOver]);
  if (!warning || shown !== from || closed === from) return null;
  if (warning.kind === "absolute") {
    const duration = times.absoluteDuration;
    const onClose = (): void => setClosed(from);
    return <AbsoluteWarning key={from} {...{ warning, left, duration, onClose }} />;
  }
  const onExtended = (): void => showMessage(text("extended"));
  return <IdleWarning key={from} {...{ left, unsaved, onExtended }} />;
}
