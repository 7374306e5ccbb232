/** A day of work with a bound session. */
import { expect, type Page, test } from "@playwright/test";
import { signInBound, startDeviceApp } from "../../device-app.ts";

const hours = 8;
/** A proof counts for ten minutes, and Chromium renews it two minutes before. */
const minutesOfProof = 8;
const renewed = "POST /api/auth/device 200";

/** Loads a page, and fetches two times from it: the statuses. */
async function work(tab: Page, url: string): Promise<readonly (number | undefined)[]> {
  const response = await tab.goto(url);
  const fetched = await tab.evaluate(() =>
    Promise.all(["/one", "/two"].map((path) => fetch(path).then(({ status }) => status))),
  );
  return [response?.status(), ...fetched];
}

test("eight hours in three tabs cost one signature in eight minutes, and no sign-in [DB-013]", async () => {
  const outcomes: string[] = [];
  const app = await startDeviceApp(
    {
      telemetry: {
        onMeasurement: (each) => {
          if (each.of === "device-proof") outcomes.push(each.outcome);
        },
      },
    },
    // The hours pass in a minute: the browser would have used up its signatures.
    { limitsSignatures: false },
  );
  try {
    const [owner, first] = await signInBound(app);
    const tabs = [first, await owner.newPage(), await owner.newPage()];
    const steps = (hours * 60) / minutesOfProof;
    for (let step = 0; step < steps; step += 1) {
      app.advance(minutesOfProof * 60);
      // oxlint-disable-next-line no-await-in-loop -- one lifetime of a proof after the other
      await owner.clearCookies({ name: "appSession.device" });
      // oxlint-disable-next-line no-await-in-loop -- the same
      const statuses = await Promise.all(tabs.map((tab) => work(tab, `${app.url}/page`)));
      expect(statuses.flat()).toEqual(Array.from({ length: 9 }, () => 200));
    }
    const proofs = app.requests.filter((each) => each.startsWith("POST /api/auth/device"));
    expect(proofs).toEqual(Array.from({ length: 1 + steps }, () => renewed));
    expect(outcomes).toEqual(["registered", ...Array.from({ length: steps }, () => "refreshed")]);
    expect(app.requests.filter((each) => each.includes("/api/auth/callback"))).toHaveLength(1);
  } finally {
    await app.close();
  }
});
