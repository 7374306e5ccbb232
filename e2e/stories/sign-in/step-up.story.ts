import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { pages } from "@latchkey/pages";
import { startProvider } from "@latchkey/provider";
import { expect, test } from "../../test-app.ts";
import { type Auth, createAuth, type Options } from "latchkey";
import { protect } from "latchkey/node";
import { freePort } from "../../../packages/latchkey/test/servers/free-port.ts";

const form = `<!doctype html><title>Transfer</title><form method="post" action="/transfer/send">
<label>Amount <input name="amount"></label><label>Note <textarea name="note"></textarea></label>
<button>Transfer</button></form>`;

/** An app with a second factor for transfers. */
async function startBank(options: Partial<Options> = {}) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const provider = await startProvider({ appURL: url });
  const [client] = provider.clients;
  const auth: Auth = createAuth({
    baseURL: url,
    issuerBaseURL: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    secret: "a-secret-of-the-story-0123456789abcdef",
    accessRules: { "/transfer/send": { acr: "mfa" }, "/vault": { acr: "gold" } },
    log: () => undefined,
    ...options,
  });
  const received: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    if (request.method !== "POST") return response.end(form);
    received.push(`${request.headers.origin} ${await text(request)}`);
    return response.end("<!doctype html><title>Done</title><h1>Transferred</h1>");
  };
  const server = createServer(protect(auth, handle));
  await new Promise<void>((resolve) => void server.listen(port, "localhost", resolve));
  return {
    url,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await provider.close();
    },
  };
}

test("a person learns why to sign in again, and sends the form afterwards with all its fields", async ({
  page,
}) => {
  const bank = await startBank({ pages: pages({ accent: "#7a1f5c" }) });
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  try {
    await page.goto(`${bank.url}/transfer`);
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.getByLabel("Amount").fill("5 & 6");
    await page.getByLabel("Note").fill('<b>"Lunch"</b>');
    await page.getByRole("button", { name: "Transfer" }).click();
    await expect(page.getByText("This page needs a second step when you sign in.")).toBeVisible();
    await expect(page.getByText("We keep what you've typed")).toBeVisible();
    const signInAgain = page.getByRole("link", { name: "Sign in again" });
    await expect(signInAgain).toHaveCSS("background-color", "rgb(122, 31, 92)");
    await signInAgain.click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();

    await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
    expect(bank.received).toEqual([]);
    const send = page.getByRole("button", { name: "Send" });
    await expect(send).toHaveCSS("background-color", "rgb(122, 31, 92)");
    await send.click();
    await expect(page.getByRole("heading", { name: "Transferred" })).toBeVisible();
    expect(refused).toEqual([]);
    expect(bank.received).toEqual([`${bank.url} amount=5+%26+6&note=%3Cb%3E%22Lunch%22%3C%2Fb%3E`]);

    await page.goto(`${bank.url}/transfer`);
    await page.getByLabel("Amount").fill("7");
    await page.getByRole("button", { name: "Transfer" }).click();
    await expect(page.getByRole("heading", { name: "Transferred" })).toBeVisible();
  } finally {
    await bank.close();
  }
});

test("a person learns before and after why to sign in again, once", async ({ page }) => {
  const options = { accessRules: { "/vault": { acr: "mfa" } }, pages: pages() };
  const bank = await startBank(options);
  const thanks = page.getByText("Thanks for signing in again.");
  try {
    await page.goto(`${bank.url}/_auth/account`);
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
    await page.goto(`${bank.url}/vault`);
    await expect(page.getByText("This page needs a second step when you sign in.")).toBeVisible();
    await page.goto(`${bank.url}/_auth/account`);
    await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
    await expect(thanks).toBeHidden();

    await page.goto(`${bank.url}/vault`);
    // A sign-in within the second of the page would not count as a later one.
    await page.waitForTimeout(1000);
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await expect(page).toHaveURL(`${bank.url}/vault`);
    await page.goto(`${bank.url}/_auth/account`);
    await expect(thanks).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
    await expect(thanks).toBeHidden();
  } finally {
    await bank.close();
  }
});

test("a page names the missing sign-in method if the provider cannot do it, and the person stays signed in", async ({
  page,
}) => {
  const bank = await startBank();
  try {
    await page.goto(`${bank.url}/transfer`);
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.goto(`${bank.url}/vault`);
    await expect(page.getByText("It needs a sign-in by gold.")).toBeVisible();
    await page.goto(`${bank.url}/transfer`);
    await expect(page.getByRole("button", { name: "Transfer" })).toBeVisible();
  } finally {
    await bank.close();
  }
});
