import type { Message, OpenChannel } from "../client/browser/channel.ts";
import { createClock, type TestClock } from "./clock.support.ts";
import type { Page, PageEvent } from "../client/browser/page.ts";
import { createServer, type TestServer } from "./server.support.ts";
import type { Follow } from "../client/browser/follow-ends.ts";
import {
  createSessionClient,
  type SessionClient,
  type SessionClientOptions,
} from "../client/session-client.ts";
import type { Claims } from "../client/claims.ts";
import type { InitialSession } from "../client/session-state.ts";

/** A page whose events come from the test. It records what the client does to it. */
export interface TestPage extends Page {
  visible: boolean;
  contentHidden: boolean;
  reloads: number;
  /** Addresses assigned by the client. */
  readonly assigned: string[];
  /** Paths posted to by the client. */
  readonly posted: string[];
  emit(event: PageEvent): void;
}

export interface Tab {
  readonly page: TestPage;
  readonly client: SessionClient;
  /** How often the client reported a change. */
  changes: number;
  emit(event: PageEvent): Promise<void>;
  show(): Promise<void>;
  hide(): Promise<void>;
  close(): void;
}

/** What a tab shares with the other tabs, and its page. */
export type TabOptions = Required<
  Pick<SessionClientOptions, "fetch" | "clock" | "page" | "random" | "openChannel">
>;

/** One browser with its cookies, and any number of tabs. */
export interface TestBrowser {
  readonly clock: TestClock;
  readonly server: TestServer;
  readonly open: (initialSession?: InitialSession<Claims> | null, live?: Follow) => Tab;
  /** The options of one more tab. */
  readonly tabOptions: () => TabOptions & { readonly page: TestPage };
}

export function createTestBrowser(skewSeconds = 0): TestBrowser {
  const clock = createClock();
  const server = createServer(clock, skewSeconds);
  const openChannel = createChannels(clock);
  let opened = 0;
  const tabOptions: TestBrowser["tabOptions"] = () => {
    const chance = (opened++ * 0.19) % 1;
    const page = createTestPage();
    return { clock, page, fetch: server.fetch, openChannel, random: () => chance };
  };
  return {
    clock,
    server,
    tabOptions,
    open(initialSession, live) {
      const options = tabOptions();
      const client = createSessionClient({ ...options, initialSession, live });
      return openTab(client, clock, options.page);
    },
  };
}

export function createTestPage(): TestPage {
  let listener: ((event: PageEvent) => void) | undefined;
  const page: TestPage = {
    visible: true,
    contentHidden: false,
    reloads: 0,
    assigned: [],
    posted: [],
    emit: (event) => listener?.(event),
    isVisible: () => page.visible,
    subscribe(onEvent) {
      listener = onEvent;
      return () => (listener = undefined);
    },
    hidePage: (hidden) => (page.contentHidden = hidden),
    reload: () => page.reloads++,
    assign: (url) => page.assigned.push(url),
    post: (path) => page.posted.push(path),
  };
  return page;
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

function openTab(client: SessionClient, clock: TestClock, page: TestPage): Tab {
  const emit = (event: PageEvent): Promise<void> => {
    page.emit(event);
    return clock.advance(0);
  };
  const tab: Tab = {
    page,
    client,
    changes: 0,
    emit,
    show() {
      page.visible = true;
      return emit("active");
    },
    hide() {
      page.visible = false;
      return emit("hidden");
    },
    close: client.subscribe(() => tab.changes++),
  };
  return tab;
}
