import { expect, test } from "vitest";
import { ada } from "../support/server.support.ts";
import { openSignedInBrowser, stateOf } from "../support/tabs.support.ts";
import type { Follow } from "./browser/follow-ends.ts";

function createLive() {
  const streams = { opened: 0, closed: 0, end: () => {} };
  const live: Follow = ({ onEnd }) => {
    streams.opened += 1;
    streams.end = onEnd;
    return () => void (streams.closed += 1);
  };
  return { streams, live };
}

test("the client follows the stream only while a user is signed in", async () => {
  const { server, clock, open } = openSignedInBrowser();
  const { streams, live } = createLive();
  const tab = open(undefined, live);
  expect(streams.opened).toBe(0);
  await clock.advance(0);
  expect(streams).toMatchObject({ opened: 1, closed: 0 });
  if (server.session) server.session.ended = "elsewhere";
  streams.end();
  await clock.advance(0);
  expect(stateOf(tab)).toMatchObject({ status: "signed-out", ended: "elsewhere" });
  expect(streams).toMatchObject({ opened: 1, closed: 1 });
  server.signIn(ada);
  await tab.client.refetch();
  expect(streams).toMatchObject({ opened: 2, closed: 1 });
});

test("the client follows nothing without subscribers", () => {
  const { server, open } = openSignedInBrowser();
  const { streams, live } = createLive();
  const tab = open(server.initialSession(), live);
  expect(streams).toMatchObject({ opened: 1, closed: 0 });
  tab.close();
  expect(streams).toMatchObject({ opened: 1, closed: 1 });
});

test("the end of a session reaches the other tabs at once", async () => {
  const { server, clock, open } = openSignedInBrowser();
  const { streams, live } = createLive();
  open(server.initialSession(), live);
  const other = open(server.initialSession());
  if (server.session) server.session.ended = "elsewhere";
  streams.end();
  await clock.advance(5);
  expect(stateOf(other)).toMatchObject({ ended: "elsewhere" });
});
