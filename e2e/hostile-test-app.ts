/** The built application with the hostile provider. */
import { startHostileProvider } from "@latchkey/provider/hostile";
import type { Conduct, HostileProvider } from "@latchkey/provider/hostile";
import { startTestApp } from "./test-app.ts";
import type { TestApp } from "./test-app.ts";

export interface HostileTestApp extends TestApp {
  /** Signs in its only user without a page. */
  readonly provider: HostileProvider;
}

/** The only organization with access. */
const organization = { org_id: "org_harbour", org_name: "harbour" };

/**
 * @param settings - environment of the application
 * @param conduct - behavior of the provider while the application starts
 */
export async function startHostileTestApp(
  settings: Readonly<Record<string, string>> = {},
  conduct: Conduct = "well",
): Promise<HostileTestApp> {
  const provider = await startHostileProvider({ person: { ...person, ...organization } });
  provider.behave(conduct);
  const testApp = await startTestApp({
    LATCHKEY_ISSUER_BASE_URL: provider.issuer,
    LATCHKEY_CLIENT_ID: provider.client.id,
    LATCHKEY_CLIENT_SECRET: provider.client.secret,
    LATCHKEY_ORGANIZATION: organization.org_id,
    LATCHKEY_PROVIDER_NAME: "Example ID",
    ...settings,
  });
  return {
    ...testApp,
    provider,
    async close() {
      await testApp.close();
      await provider.close();
    },
  };
}

const person = { sub: "person-hedwig", name: "Hedwig Falk", email: "hedwig@example.com" };
