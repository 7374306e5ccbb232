import { escapeHTML } from "../../http/escape-html.ts";
import type { Parameter } from "../behaviour.ts";
import type { ResponseParts } from "../faults.ts";

/** A page that posts parameters immediately (OAuth 2.0 Form Post Response Mode 1.0). */
export function formPage(action: string, parameters: readonly Parameter[]): ResponseParts {
  const inputs = parameters.map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHTML(name)}" value="${escapeHTML(value)}">`,
  );
  return {
    status: 200,
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
    body: `<!doctype html>
<html lang="en">
<title>Returning to the application</title>
<form method="post" action="${escapeHTML(action)}">
${inputs.join("\n")}
<noscript><button>Continue</button></noscript>
</form>
<script>document.forms[0].submit()</script>
</html>
`,
  };
}

/** Reads the form of such a page. @returns null for any other page. */
export function readFormPage(page: string): { action: string; form: URLSearchParams } | null {
  const action = /<form method="post" action="([^"]*)"/u.exec(page)?.[1];
  if (action === undefined) return null;
  const inputs = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/gu);
  const form = new URLSearchParams();
  for (const [, name = "", value = ""] of inputs) form.append(plain(name), plain(value));
  return { action: plain(action), form };
}

function plain(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
