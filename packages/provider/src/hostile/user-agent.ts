import { readFormPage } from "./endpoints/form-page.ts";

/** The request that a browser sends to the application after the provider's response. */
export interface BrowserRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** The posted form; empty for a GET. */
  readonly form: URLSearchParams;
}

/** Opens an authorization URL and returns the request that a browser sends next. */
export async function followAuthorization(url: string): Promise<BrowserRequest | null> {
  const response = await fetch(url, { redirect: "manual" });
  const page = await response.text();
  const location = response.headers.get("Location");
  if (location !== null) return { method: "GET", url: location, form: new URLSearchParams() };
  const form = readFormPage(page);
  return form === null ? null : { method: "POST", url: form.action, form: form.form };
}
