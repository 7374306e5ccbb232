import type { Page, Response } from "@playwright/test";
import type { Conduct } from "@latchkey/provider/hostile";
import { expect, test } from "../../test-app.ts";
import { startHostileTestApp } from "../../hostile-test-app.ts";
import type { HostileTestApp } from "../../hostile-test-app.ts";

let testApp: HostileTestApp;
test.beforeAll(async () => {
  testApp = await startHostileTestApp();
});
test.afterAll(() => testApp.close());

interface Row {
  readonly does: string;
  readonly conduct: Conduct;
  readonly status?: number;
  readonly title: string;
  /** Part of the text below the title. */
  readonly text?: string | RegExp;
  readonly action: "Try again" | "Sign in" | "Use a different account" | "Copy details";
  /** Target of the action when the provider works again. Default: the requested page. */
  readonly leadsTo?: string;
}

const wanted = "/sample?report=march";
const largestPage = 14 * 1024;
const markup = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

function refusal(error: string, description: string): Conduct {
  return {
    authorizationResponse: (parameters) => [
      ["error", error],
      ["error_description", description],
      ...parameters.filter(([name]) => name !== "code"),
    ],
  };
}

function claims(changed: Readonly<Record<string, unknown>>): Conduct {
  return { idToken: { claims: (own) => ({ ...own, ...changed }) } };
}

const unconfirmed = {
  title: "We couldn't confirm it was really you",
  text: "didn't pass our safety checks",
  action: "Try again",
} as const;
const notSetUp = {
  title: "Latchkey isn't set up correctly",
  text: "This isn't your fault",
  action: "Copy details",
} as const;

const rows: readonly Row[] = [
  {
    does: "refuses the person and says why",
    conduct: refusal("access_denied", "You are not assigned to this application."),
    title: "Example ID didn't let you in",
    text: "Example ID said: “You are not assigned to this application.”",
    action: "Use a different account",
  },
  {
    does: "has trouble, also the second time",
    conduct: "STD-001/server_error",
    title: "Example ID is having trouble",
    action: "Try again",
  },
  { does: "refuses the client's secret", conduct: "PROVIDERS/invalid_client", ...notSetUp },
  {
    does: "says that the code is used or too old",
    conduct: "PROVIDERS/invalid_grant",
    title: "That sign-in was already used",
    text: "This can happen after Back or Refresh.",
    action: "Sign in",
  },
  { does: "sends another nonce", conduct: "CERT-027", ...unconfirmed },
  {
    does: "has another time than we",
    conduct: "FAPI-010/expired",
    title: "The clocks don't match",
    action: "Try again",
  },
  {
    does: "sends a token answer that cannot be used",
    conduct: "STD-004/no-access-token",
    title: "We couldn't sign you in",
    action: "Try again",
  },
  {
    does: "breaks off when sign-in is finished [S13]",
    conduct: "REL-F12/reset/token",
    status: 500,
    title: "We couldn't finish signing you in",
    text: "You don't need to do anything special",
    action: "Try again",
  },
  {
    does: "knows the person as one of another organization [S11]",
    conduct: claims({ org_id: "org_orchard", org_name: "orchard" }),
    title: "This account isn't in org_harbour",
    text: /hedwig@example\.com, which belongs to orchard.*Ask the people who run Latchkey/s,
    action: "Use a different account",
  },
  {
    does: "alters the state",
    conduct: "FAPI-014/altered",
    title: "Let's start that again",
    action: "Sign in",
    leadsTo: "/",
  },
  {
    does: "leaves the state out",
    conduct: "FAPI-014/missing",
    title: "That link was incomplete",
    action: "Sign in",
    leadsTo: "/",
  },
];

function collectResponses(page: Page): Response[] {
  const answers: Response[] = [];
  page.on("response", (answer) => void answers.push(answer));
  return answers;
}

/** Returns the addresses of requests other than documents. A `data:` address is no request. */
function addressesBesideDocuments(answers: readonly Response[]): string[] {
  return answers
    .filter((answer) => answer.request().resourceType() !== "document")
    .map((answer) => answer.url())
    .filter((url) => !url.startsWith("data:"));
}

test.describe("a provider that", () => {
  for (const row of rows) {
    const { does, conduct, status = 400, title, text = "", action, leadsTo = wanted } = row;
    test(`${does} leads to a page with an explanation and one action`, async ({ page }) => {
      testApp.provider.behave(conduct);
      const answers = collectResponses(page);
      await page.goto(`${testApp.url}/api/auth/login?returnTo=${encodeURIComponent(wanted)}`);
      const main = page.getByRole("main");
      await expect(main.getByRole("heading", { level: 1 })).toHaveText(title);
      await expect(page).toHaveTitle(`Error: ${title} · Latchkey`);
      await expect(main).toContainText(text);
      await expect(main.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)).toBeVisible();

      const document = answers.findLast((answer) => answer.url().startsWith(testApp.url));
      expect(document?.status()).toBe(status);
      expect((await document?.request().sizes())?.responseBodySize).toBeLessThan(largestPage);
      expect(addressesBesideDocuments(answers)).toEqual([]);
      expect(page.url()).not.toMatch(/[?&](code|state)=/);

      testApp.provider.behave("well");
      if (action === "Copy details") return expectCopies(page);
      await main.getByRole("link", { name: action, exact: true }).click();
      await expect(page).toHaveURL(testApp.url + leadsTo);
      await expect(page.locator("summary")).toHaveAccessibleName(/Hedwig Falk/);
    });
  }
});

test("a page explains that the provider does not respond, and continues when it responds [S13]", async ({
  page,
}) => {
  // A known provider needs no request for its metadata.
  const coldApp = await startHostileTestApp({}, "REL-F12/reset/metadata");
  try {
    await page.goto(`${coldApp.url}/api/auth/login?returnTo=${encodeURIComponent(wanted)}`);
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText("We can't reach Example ID");
    await expect(main).toContainText(
      /Your browser: working.*Latchkey: working.*Example ID: not answering/s,
    );
    coldApp.provider.behave("well");
    await main.getByRole("link", { name: "Try again" }).click();
    await expect(page).toHaveURL(coldApp.url + wanted);
    await expect(page.locator("summary")).toHaveAccessibleName(/Hedwig Falk/);
  } finally {
    await coldApp.close();
  }
});

test("a page explains that the provider is busy, and continues after Retry-After", async ({
  page,
}) => {
  const response = { status: 503, headers: { "Retry-After": "2" }, body: "busy" };
  testApp.provider.behave({ faults: { token: { kind: "replace", response } } });
  await page.goto(`${testApp.url}/api/auth/login?returnTo=${encodeURIComponent(wanted)}`);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Example ID is busy");
  await expect(main).toContainText("Nothing is lost");
  testApp.provider.behave("well");
  await expect(page).toHaveURL(testApp.url + wanted);
});

test("a person with more claims than cookies can hold signs in", async ({ page }) => {
  testApp.provider.behave(claims({ groups: Array.from({ length: 3000 }, (_, n) => `group-${n}`) }));
  await page.goto(`${testApp.url}/api/auth/login?returnTo=${encodeURIComponent(wanted)}`);
  testApp.provider.behave("well");
  await expect(page).toHaveURL(testApp.url + wanted);
  await expect(page.locator("summary")).toHaveAccessibleName(/Hedwig Falk/);
});

async function expectCopies(page: Page): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy details" }).click();
  await expect(page.getByRole("status")).toHaveText("Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^Reference: [2-9A-Z]{4}-[2-9A-Z]{4}\n/);
}

test("a page shows the error description of the provider as text, and runs nothing [ASVS 3.2.2]", async ({
  page,
}) => {
  testApp.provider.behave(refusal("access_denied", markup));
  const answers = collectResponses(page);
  await page.goto(`${testApp.url}/api/auth/login`);
  await expect(page.getByRole("main")).toContainText(`Example ID said: “${markup}”`);
  await expect(page).toHaveTitle("Error: Example ID didn't let you in · Latchkey");
  expect(await page.getByRole("main").locator("img, script").count()).toBe(0);
  expect(answers.at(-1)?.headers()["x-content-type-options"]).toBe("nosniff");
});
