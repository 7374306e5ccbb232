import type { Answer } from "./cached-session.ts";

/** What tabs say to each other. */
export type Message =
  /** This tab is asking the server: the others may wait for what it hears. */
  | { readonly asking: true }
  /** What this tab heard. */
  | { readonly answer: Answer }
  | Belief;

/** Who a tab believes is here, and until when at most. */
export interface Belief {
  readonly here: string | null;
  readonly until: number | null;
}

/** The line between the tabs of one browser. */
export interface Channel {
  post(message: Message): void;
  close(): void;
}

/** The name carries the version of the messages: tabs that speak another do not hear each other. */
export type OpenChannel = (name: string, heard: (message: Message) => void) => Channel;

/** Over BroadcastChannel; where there is none, nobody hears anything and each tab asks the server itself. */
export const openBroadcast: OpenChannel = (name, heard) => {
  if (typeof BroadcastChannel === "undefined") return { post() {}, close() {} };
  const line = new BroadcastChannel(name);
  line.addEventListener("message", (event: MessageEvent<Message>) => heard(event.data));
  return { post: (message) => line.postMessage(message), close: () => line.close() };
};
