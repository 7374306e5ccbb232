import {
  type Claims,
  type InitialSession,
  type SessionState,
  type SessionTimes,
  SignInTestProvider,
  type Words,
} from "latchkey/react";
import { type ReactNode, useEffect, useState } from "react";

import { type Boot, readBoot } from "../client/boot.ts";
import { momentsChanged } from "../client/inline/local-times.ts";
import { bringToLife } from "../live/bring-to-life.ts";
import { IslandContent, isIslandName } from "../live/island.tsx";
import { startBench } from "./bench/start-bench.ts";
import type { LaterChange } from "./gallery-state.ts";

/*
 * Hydrates a page of the gallery with a clock that stands still and without a server, then plays
 * the events of its state. On the index it starts the theme bench.
 */
if (parent !== window) leaveFocus();
const boot = readBoot(document);
if (boot !== undefined) hydrateIslands(boot);
const form = document.querySelector<HTMLFormElement>("form.bench");
if (form !== null) startBench(form);

/** The focus belongs to the form of the bench, where the user types. */
function leaveFocus(): void {
  HTMLElement.prototype.focus = () => undefined;
  // oxlint-disable-next-line typescript/unbound-method -- called with each dialog
  const { showModal } = HTMLDialogElement.prototype;
  HTMLDialogElement.prototype.showModal = function showInert() {
    this.inert = true;
    showModal.call(this);
    this.inert = false;
  };
}

function hydrateIslands({ settings, seed }: Boot): void {
  const { after: text, words: json = "", now: nowText } = document.body.dataset;
  const words = JSON.parse(json) as Words;
  const now = Number(nowText);
  const first = signedIn(seed);
  const after = text === undefined ? undefined : (JSON.parse(text) as LaterChange);
  for (const place of document.querySelectorAll<HTMLElement>("[data-island]")) {
    const { island } = place.dataset;
    if (!isIslandName(island)) continue;
    bringToLife(
      place,
      <Still first={first} later={after && valueAfter(after, first)} now={now} words={words}>
        <IslandContent name={island} settings={settings} />
      </Still>,
    );
  }
  if (after?.kind === "offline") goOffline();
  if (after?.kind === "stale") showStale();
}

interface StillProps {
  readonly first: SessionState;
  /** What the state is after the page has hydrated. */
  readonly later: SessionState | undefined;
  readonly now: number;
  readonly words: Words;
  readonly children: ReactNode;
}

function Still({ first, later, now, words, children }: StillProps) {
  const [value, setValue] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setValue(later ?? first));
    return () => clearTimeout(timer);
  }, [first, later]);
  return (
    <SignInTestProvider session={value} now={now} words={words}>
      {children}
    </SignInTestProvider>
  );
}

type Person = Extract<SessionState, { status: "signed-in" }>;

function signedIn(seed: InitialSession): Person {
  if (!("user" in seed) || seed.times === undefined) throw new Error("The gallery seeds a person.");
  const { rollingEndsAt, absoluteEndsAt, endsAt, createdAt = 0, updatedAt = 0 } = seed.times;
  const times: SessionTimes = {
    rollingEndsAt,
    absoluteEndsAt,
    endsAt,
    rollingDuration: rollingEndsAt === null ? null : rollingEndsAt - updatedAt,
    absoluteDuration: absoluteEndsAt === null ? null : absoluteEndsAt - createdAt,
  };
  return { status: "signed-in", user: seed.user, ...orgOf(seed.user), times, stale: false };
}

function orgOf({ org_id: id, org_name: name }: Claims): Pick<Person, "org"> {
  if (id === undefined) return {};
  return { org: { id, ...(name === undefined ? {} : { name }) } };
}

function valueAfter(after: LaterChange, first: Person): SessionState {
  switch (after.kind) {
    case "ended":
      return { status: "signed-out", user: null, ended: after.reason };
    case "signed-out":
      return { status: "signed-out", user: null };
    case "other-person":
      return {
        ...first,
        user: { sub: "person-ben", name: "Ben Castellan", email: "ben@example.com" },
      };
    case "stale":
      return { ...first, stale: true };
    case "offline":
      return first;
  }
}

function goOffline(): void {
  Object.defineProperty(navigator, "onLine", { get: () => false });
  dispatchEvent(new Event("offline"));
  const place = document.querySelector<HTMLElement>("[data-offline]");
  const note = place?.querySelector("p");
  if (!place || !note) return;
  note.textContent = place.dataset["offline"] ?? "";
  note.hidden = false;
}

function showStale(): void {
  const note = document.querySelector<HTMLElement>("[data-stale]");
  const moment = note?.querySelector("time");
  if (!note || !moment) return;
  note.hidden = false;
  moment.dateTime = new Date(Number(document.body.dataset["now"]) * 1000).toISOString();
  momentsChanged(document);
}
