import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chooseSpeech } from "../words/speech.ts";
import { html } from "./html.ts";
import { page } from "./page.ts";

describe("page", () => {
  it("allows exactly the style sheet that it contains", () => {
    const { body, headers } = page({
      speech: chooseSpeech({}),
      title: "Title",
      content: html`<p>Text</p>`,
    });
    const style = /<style>(.*?)<\/style>/su.exec(body)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(headers["Content-Security-Policy"]).toContain(`style-src 'sha256-${hash}'`);
  });

  it("escapes the values of a template", () => {
    expect(html`<b title="${`"'<>&`}">${"<script>"}</b>`.markup).toBe(
      '<b title="&quot;&#39;&lt;&gt;&amp;">&lt;script&gt;</b>',
    );
  });
});
