import { readFormPage } from "./endpoints/form-page.ts";

/** The browser's request to the application after the provider's response. */
export interface BrowserRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** The posted form; empty for a GET. */
  readonly form: URLSearchParams;
}

/** Opens an authorization URL and returns the next request of a browser. */
export async function followAuthorization(url: string): Promise<BrowserRequest | null> {
  const response = await fetch(url, { redirect: "manual" });
  const page = await response.text();
  const location = response.headers.get("Location");
  if (location !== null) return { method: "GET", url: location, form: new URLSearchParams() };
  const form = readFormPage(page);
  return form === null ? null : { method: "POST", url: form.action, form: form.form };
}
