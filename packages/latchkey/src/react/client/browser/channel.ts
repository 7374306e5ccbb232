import type { SessionResponse } from "../cached-session.ts";
import type { Paths } from "../paths.ts";

/** The name of the channel of an app; it carries the version of the messages. */
export function channelName({ session }: Pick<Paths, "session">): string {
  return `latchkey:1:${session}`;
}

/** The messages between tabs. */
export type Message =
  /** This tab has sent a request; the others may wait for its response. */
  | { readonly requesting: true }
  | { readonly response: SessionResponse; readonly extended?: boolean }
  | { readonly knownUser: KnownUser }
  /** The server has reported the end of the session to this tab. */
  | { readonly knownUser: KnownUser; readonly ended: true };

/** The signed-in user as far as a tab knows, and the latest possible end. */
export interface KnownUser {
  readonly sub: string | null;
  readonly absoluteEndsAt: number | null;
}

export const NO_USER: KnownUser = { sub: null, absoluteEndsAt: null };

/** A channel between the tabs of one browser. */
export interface Channel {
  post(message: Message): void;
  close(): void;
}

/** Tabs with another version of the messages use another name. */
export type OpenChannel = (name: string, onMessage: (message: Message) => void) => Channel;

/**
 * Opens a BroadcastChannel. If the browser has none, or blocks it together with storage, no message
 * arrives, and each tab sends its own requests.
 */
export const openBroadcastChannel: OpenChannel = (name, onMessage) => {
  try {
    const channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => onMessage(data));
    return { post: (message) => channel.postMessage(message), close: () => channel.close() };
  } catch {
    return { post() {}, close() {} };
  }
};
