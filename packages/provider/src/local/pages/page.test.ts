import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chooseSpeech } from "../words/speech.ts";
import { html } from "../../http/html.ts";
import { page } from "./page.ts";

describe("page", () => {
  it("allows exactly its own style sheet", () => {
    const { body, headers } = page({
      speech: chooseSpeech({}),
      title: "Title",
      content: html`<p>Text</p>`,
    });
    const style = /<style>(.*?)<\/style>/su.exec(body)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(headers["Content-Security-Policy"]).toContain(`style-src 'sha256-${hash}'`);
  });
});
