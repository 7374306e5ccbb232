import { type Browser, createBrowser } from "../../latchkey/test/browser/browser.ts";

/** A browser at the provider. Every other origin responds with the posted form. */
export function createProviderBrowser(origin: string): Browser {
  return createBrowser(origin, async (url, init) =>
    url.origin === origin ? fetch(url, init) : new Response(init.body ?? ""),
  );
}
