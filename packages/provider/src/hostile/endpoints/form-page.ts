import { html } from "../../http/html.ts";
import { parse } from "node-html-parser";
import type { Parameter } from "../behavior.ts";
import type { ResponseParts } from "../faults.ts";

/** A page that posts parameters immediately (OAuth 2.0 Form Post Response Mode 1.0). */
export function formPage(action: string, parameters: readonly Parameter[]): ResponseParts {
  const inputs = parameters.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const page = html`<!doctype html>
    <html lang="en">
      <title>Returning to the application</title>
      <form method="post" action="${action}">
        ${inputs}
        <noscript><button>Continue</button></noscript>
      </form>
      <script>
        document.forms[0].submit();
      </script>
    </html>`;
  return {
    status: 200,
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
    body: String(page),
  };
}

/** Reads the form of such a page. @returns null for any other page. */
export function readFormPage(page: string): { action: string; form: URLSearchParams } | null {
  const found = parse(page).querySelector("form[method=post]");
  if (found === null) return null;
  const form = new URLSearchParams();
  for (const input of found.querySelectorAll("input[type=hidden]")) {
    form.append(input.getAttribute("name") ?? "", input.getAttribute("value") ?? "");
  }
  return { action: found.getAttribute("action") ?? "", form };
}
