import type { Message, OpenChannel } from "../client/browser/channel.ts";
import { createClock, type TestClock } from "./clock.support.ts";
import type { Page, PageEvent } from "../client/browser/page.ts";
import { createServer, type TestServer } from "./server.support.ts";
import { createSessionClient, type SessionClient } from "../client/session-client.ts";
import type { Claims } from "../client/claims.ts";
import type { InitialSession } from "../client/session-state.ts";

export interface Tab {
  readonly client: SessionClient;
  /** How often the client said that something changed. */
  changes: number;
  visible: boolean;
  contentHidden: boolean;
  reloads: number;
  /** Addresses the page was left for, and paths that were posted to. */
  readonly assigned: string[];
  readonly posted: string[];
  emit(event: PageEvent): Promise<void>;
  show(): Promise<void>;
  hide(): Promise<void>;
  close(): void;
}

/** One browser with its cookies, and any number of tabs. */
export interface TestBrowser {
  readonly clock: TestClock;
  readonly server: TestServer;
  readonly open: (initialSession?: InitialSession<Claims> | null) => Tab;
}

export function createTestBrowser(skewSeconds = 0): TestBrowser {
  const clock = createClock();
  const server = createServer(clock, skewSeconds);
  const openChannel = createChannels(clock);
  let opened = 0;
  return {
    clock,
    server,
    open: (initialSession) => {
      const chance = (opened++ * 0.19) % 1;
      return openTab({ clock, server, openChannel, initialSession, chance });
    },
  };
}

/** Channels between the tabs; a message takes a millisecond. */
function createChannels(clock: TestClock): OpenChannel {
  const ends = new Set<{ name: string; onMessage: (message: Message) => void }>();
  return (name, onMessage) => {
    const end = { name, onMessage };
    ends.add(end);
    return {
      post(message) {
        const others = [...ends].filter((other) => other !== end && other.name === name);
        for (const other of others) clock.after(1, () => other.onMessage(structuredClone(message)));
      },
      close: () => void ends.delete(end),
    };
  };
}

interface TabOptions {
  clock: TestClock;
  server: TestServer;
  openChannel: OpenChannel;
  initialSession: InitialSession<Claims> | null | undefined;
  chance: number;
}

function openTab(options: TabOptions): Tab {
  const { clock, server, openChannel, initialSession, chance } = options;
  let listener: ((event: PageEvent) => void) | undefined;
  const page: Page = {
    isVisible: () => tab.visible,
    subscribe(onEvent) {
      listener = onEvent;
      return () => (listener = undefined);
    },
    hidePage: (hidden) => (tab.contentHidden = hidden),
    reload: () => tab.reloads++,
    assign: (url) => tab.assigned.push(url),
    post: (path) => tab.posted.push(path),
  };
  const { fetch } = server;
  const random = (): number => chance;
  const client = createSessionClient({
    initialSession,
    fetch,
    clock,
    page,
    random,
    openChannel,
  });
  const emit = (event: PageEvent): Promise<void> => {
    listener?.(event);
    return clock.advance(0);
  };
  const tab: Tab = {
    client,
    changes: 0,
    visible: true,
    contentHidden: false,
    reloads: 0,
    assigned: [],
    posted: [],
    emit,
    show() {
      tab.visible = true;
      return emit("active");
    },
    hide() {
      tab.visible = false;
      return emit("hidden");
    },
    close: () => undefined,
  };
  tab.close = client.subscribe(() => tab.changes++);
  return tab;
}
