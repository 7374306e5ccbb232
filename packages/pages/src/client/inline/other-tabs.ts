/** What a tab posts after a response of the server; see `SessionResponse` of the React layer. */
interface TabMessage {
  readonly response?: { readonly peek: { readonly state: string } };
}

/** An end that the server has reported: every other tab looks at its session at once. */
const endMessage = { knownUser: { sub: null, absoluteEndsAt: null }, ended: true };

/** Shows the line about other tabs while at least one has confirmed that it is signed out. */
export function confirmInOtherTabs(page: Document, { pathname }: Location): void {
  const line = page.querySelector<HTMLElement>("[data-tabs]");
  if (line === null) return;
  try {
    const session = pathname.replace(/[^/]*$/, "session.json");
    const channel = new BroadcastChannel(`latchkey:1:${session}`);
    channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
      if (data.response !== undefined) line.hidden = data.response.peek.state === "signed-in";
    });
    channel.postMessage(endMessage);
  } catch {
    // Without channels there is nothing to confirm.
  }
}
