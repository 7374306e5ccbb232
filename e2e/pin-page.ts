import type { Page } from "@playwright/test";

/**
 * Lets only the story navigate the page. A page stays as it is if it tries to reload itself.
 *
 * @returns a function to open an address
 */
export async function pinPage(page: Page): Promise<(address: string) => Promise<void>> {
  const devTools = await page.context().newCDPSession(page);
  let opening: string | undefined;
  devTools.on("Fetch.requestPaused", ({ requestId, request }) => {
    const isOurs = request.url === opening;
    if (isOurs) opening = undefined;
    // No content: the browser keeps the current page (Fetch, "process a navigate response").
    const answer = isOurs
      ? devTools.send("Fetch.continueRequest", { requestId })
      : devTools.send("Fetch.fulfillRequest", { requestId, responseCode: 204 });
    // The context may close first.
    answer.catch(() => undefined);
  });
  await devTools.send("Fetch.enable", { patterns: [{ resourceType: "Document" }] });
  return async (address) => {
    for (let attempt = 1; ; attempt += 1) {
      opening = address;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        await page.goto(address);
        return;
      } catch (error) {
        // The page has begun to reload itself in the same moment, which ends our navigation.
        if (attempt === 3 || !String(error).includes("ERR_ABORTED")) throw error;
      }
    }
  };
}
