import { createHash } from "node:crypto";
import type { Markup } from "../../http/html.ts";
import { raw } from "hono/html";

// The style sheet of the provider's pages: light and dark, from a width of 320 pixels.
const style = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fbfbfa, #0e1114);
  --surface: light-dark(#ffffff, #15191d);
  --text: light-dark(#16191d, #eceef0);
  --muted: light-dark(#565d66, #a3abb4);
  --border: light-dark(#dddfdc, #2a3037);
  --control: light-dark(#83898f, #727b85);
  --accent: light-dark(#0b6e5f, #4cc9ae);
  --accent-hover: light-dark(#095a4e, #6fd8c1);
  --on-accent: light-dark(#ffffff, #06231d);
  --accent-soft: light-dark(#e3f2ee, #10302a);
  --focus: light-dark(#0b57d0, #8ab4f8);
  --warn: light-dark(#8a5200, #f2b84b);
  --warn-soft: light-dark(#fdf1dc, #33240a);
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--bg);
  color: var(--text);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.notice {
  padding: 8px 16px;
  border-bottom: 1px solid var(--warn);
  background: var(--warn-soft);
  color: var(--warn);
  font-size: 0.875rem;
  font-weight: 600;
  text-align: center;
  text-wrap: balance;
}
main { max-width: 592px; margin: 0 auto; padding: clamp(24px, 8vh, 96px) 16px 48px; }
h1 { margin: 0 0 8px; font-size: clamp(1.375rem, 1rem + 1.85vw, 1.5625rem); font-weight: 600; line-height: 1.2; text-wrap: balance; }
:lang(ja) { word-break: auto-phrase; }
h1, p, .who { overflow-wrap: anywhere; }
p { margin: 0 0 16px; max-width: 66ch; color: var(--muted); text-wrap: pretty; }
.customer { margin: 0 0 4px; color: var(--text); font-size: 1.125rem; font-weight: 600; }
a { color: var(--accent); }
form { margin: 24px 0 0; }
ul { margin: 0; padding: 0; list-style: none; display: grid; gap: 8px; }
button, .action {
  display: inline-block;
  font: inherit;
  color: inherit;
  cursor: pointer;
  min-height: 44px;
  border: 1px solid var(--control);
  border-radius: 6px;
  background: var(--surface);
  padding: 8px 16px;
}
button:hover { border-color: var(--accent); background: var(--accent-soft); }
.action {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--on-accent);
  font-weight: 600;
  text-decoration: none;
}
.action:hover { background: var(--accent-hover); }
button:focus-visible, a:focus-visible {
  outline: 3px solid var(--focus);
  outline-offset: 2px;
}
.person {
  display: grid;
  grid-template-columns: 44px minmax(0, 1fr);
  gap: 0 16px;
  align-items: center;
  width: 100%;
  padding: 12px 16px;
  border-radius: 10px;
  text-align: start;
}
.person img { border-radius: 50%; display: block; }
.person[data-suggested] { border: 2px solid var(--accent); padding: 11px 15px; }
.who { display: block; }
.who b { display: block; font-weight: 600; line-height: 1.35; }
.who span { display: block; color: var(--muted); font-size: 0.875rem; }
.who .facts { display: flex; flex-wrap: wrap; gap: 0 12px; }
.who .tag { color: var(--accent); font-weight: 600; }
.cancel { margin-top: 16px; width: 100%; background: transparent; }
code { font: 0.8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
dl { margin: 24px 0; display: grid; gap: 4px 16px; grid-template-columns: max-content minmax(0, 1fr); }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 419px) { dl { grid-template-columns: minmax(0, 1fr); } dd { margin-bottom: 8px; } }
@media (forced-colors: active) {
  button, .action { border-color: ButtonBorder; }
  .action { border-width: 3px; background: ButtonFace; color: ButtonText; }
}
`;

/** The style sheet as an element, byte for byte the text of the hash. */
export const styleElement: Markup = raw(`<style>${style}</style>`);

/** The source expression for this style sheet in a Content-Security-Policy. */
export const styleHash: string = `sha256-${createHash("sha256").update(style).digest("base64")}`;
