import type { SessionResponse } from "../cached-session.ts";
import type { Paths } from "../paths.ts";

/** The name of the channel of an app; it carries the version of the messages. */
export function channelName({ session }: Pick<Paths, "session">): string {
  return `latchkey:1:${session}`;
}

/** What tabs tell each other. */
export type Message =
  /** This tab has sent a request: the others may wait for its response. */
  | { readonly requesting: true }
  | { readonly response: SessionResponse; readonly extended?: boolean }
  | { readonly knownUser: KnownUser }
  /** The server has told this tab that the session has ended. */
  | { readonly knownUser: KnownUser; readonly ended: true };

/** Who is signed in as far as a tab knows, and until when at most. */
export interface KnownUser {
  readonly sub: string | null;
  readonly absoluteEndsAt: number | null;
}

export const NOBODY: KnownUser = { sub: null, absoluteEndsAt: null };

/** A channel between the tabs of one browser. */
export interface Channel {
  post(message: Message): void;
  close(): void;
}

/** The name carries the version of the messages: tabs with another version do not receive them. */
export type OpenChannel = (name: string, onMessage: (message: Message) => void) => Channel;

/**
 * Over BroadcastChannel; in a browser without it, or that refuses it together with storage, no message arrives, and each
 * tab asks the server itself.
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
