import type { Message, OpenChannel } from "../client/channel.ts";
import { createClock, type TestClock } from "./clock.support.ts";
import type { Page, PageEvent } from "../client/page.ts";
import { resolvePaths } from "../client/paths.ts";
import { createServer, type TestServer } from "./server.support.ts";
import { createSessionClient, type SessionClient } from "../client/session-client.ts";
import type { Claims, SeedOf } from "../client/session-state.ts";

export interface Tab {
  readonly client: SessionClient;
  /** How often the client said that something changed. */
  changes: number;
  visible: boolean;
  veiled: boolean;
  reloads: number;
  readonly posted: string[];
  emit(event: PageEvent): Promise<void>;
  show(): Promise<void>;
  hide(): Promise<void>;
  close(): void;
}

/** One browser with as many tabs as wanted. */
export interface World {
  readonly clock: TestClock;
  readonly server: TestServer;
  readonly open: (seed?: SeedOf<Claims> | null) => Tab;
}

export function createWorld(skewSeconds = 0): World {
  const clock = createClock();
  const server = createServer(clock, skewSeconds);
  const openChannel = createLines(clock);
  let opened = 0;
  return {
    clock,
    server,
    open: (seed) => openTab({ clock, server, openChannel, seed, chance: (opened++ * 0.19) % 1 }),
  };
}

/** Channels between the tabs; a message takes a millisecond. */
function createLines(clock: TestClock): OpenChannel {
  const lines = new Set<{ name: string; heard: (message: Message) => void }>();
  return (name, heard) => {
    const line = { name, heard };
    lines.add(line);
    return {
      post(message) {
        const others = [...lines].filter((other) => other !== line && other.name === name);
        for (const other of others) clock.after(1, () => other.heard(structuredClone(message)));
      },
      close: () => void lines.delete(line),
    };
  };
}

interface Opening {
  clock: TestClock;
  server: TestServer;
  openChannel: OpenChannel;
  seed: SeedOf<Claims> | null | undefined;
  chance: number;
}

function openTab({ clock, server, openChannel, seed, chance }: Opening): Tab {
  let listener: ((event: PageEvent) => void) | undefined;
  const page: Page = {
    visible: () => tab.visible,
    listen(heard) {
      listener = heard;
      return () => (listener = undefined);
    },
    veil: (hidden) => (tab.veiled = hidden),
    reload: () => tab.reloads++,
    post: (path) => tab.posted.push(path),
  };
  const { fetch } = server;
  const paths = resolvePaths("", undefined);
  const random = (): number => chance;
  const client = createSessionClient({ paths, seed, fetch, clock, page, random, openChannel });
  const emit = (event: PageEvent): Promise<void> => {
    listener?.(event);
    return clock.advance(0);
  };
  const tab: Tab = {
    client,
    changes: 0,
    visible: true,
    veiled: false,
    reloads: 0,
    posted: [],
    emit,
    show() {
      tab.visible = true;
      return emit("look");
    },
    hide() {
      tab.visible = false;
      return emit("rest");
    },
    close: () => undefined,
  };
  tab.close = client.subscribe(() => tab.changes++);
  return tab;
}
