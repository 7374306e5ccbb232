import type { RunningProvider } from "@latchkey/provider";

/** The variables for a client of the local provider. */
export function clientSettings(
  baseURL: string,
  provider: RunningProvider,
): Readonly<Record<string, string>> {
  const [client] = provider.clients;
  return {
    LATCHKEY_BASE_URL: baseURL,
    LATCHKEY_ISSUER_BASE_URL: provider.issuer,
    LATCHKEY_CLIENT_ID: client?.id ?? "",
    LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
    LATCHKEY_SECRET: "a-secret-of-the-conformance-suite-0123456789",
  };
}
