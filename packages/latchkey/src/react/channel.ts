/** The line between the tabs of one browser. */
export interface Channel {
  post(message: unknown): void;
  close(): void;
}

export type OpenChannel = (name: string, heard: (message: unknown) => void) => Channel;

/** Over BroadcastChannel; where there is none, nobody hears anything and each tab asks the server itself. */
export const openBroadcast: OpenChannel = (name, heard) => {
  if (typeof BroadcastChannel === "undefined") return { post() {}, close() {} };
  const line = new BroadcastChannel(name);
  line.addEventListener("message", (event: MessageEvent<unknown>) => heard(event.data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  return { post: (message) => line.postMessage(message), close: () => line.close() };
};
