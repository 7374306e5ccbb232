import { readFormPage } from "./endpoints/form-page.ts";

/** The request that a browser makes to the application after the provider's answer. */
export interface BrowserRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** The posted form; empty for a GET. */
  readonly form: URLSearchParams;
}

/** Visits an authorization address and reads where the answer sends a browser. */
export async function followAuthorization(url: string): Promise<BrowserRequest | null> {
  const response = await fetch(url, { redirect: "manual" });
  const page = await response.text();
  const location = response.headers.get("Location");
  if (location !== null) return { method: "GET", url: location, form: new URLSearchParams() };
  const form = readFormPage(page);
  return form === null ? null : { method: "POST", url: form.action, form: form.form };
}
