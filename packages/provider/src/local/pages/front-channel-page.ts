import type { Speech } from "../words/words.ts";
import { html } from "../../http/html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** How long applications have to answer before the browser continues. */
const continueAfterSeconds = 1;

/** Signs out of applications by frames, and continues by itself. */
export function frontChannelPage(speech: Speech, frames: readonly string[], next: string): Page {
  const { words } = speech;
  const { headers, body } = page({
    speech,
    title: words.signingOutTitle,
    content: html`<p>${words.signingOutBody}</p>
      <p><a class="action" href="${next}">${words.continueLabel}</a></p>
      ${frames.map((address) => html`<iframe src="${address}" title="" hidden></iframe>`)}`,
  });
  const origins = [...new Set(frames.map((address) => new URL(address).origin))];
  const policy = `${headers["Content-Security-Policy"]}; frame-src ${origins.join(" ")}`;
  return {
    headers: {
      ...headers,
      "Content-Security-Policy": policy,
      Refresh: `${continueAfterSeconds}; url=${next}`,
    },
    body,
  };
}
