import type { RunningProvider } from "@latchkey/provider";

/** The settings of an app which is the first client of a local provider. */
export function clientSettings(baseURL: string, { issuer, clients }: RunningProvider) {
  const [client] = clients;
  return {
    baseURL,
    issuerBaseURL: issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    secret: "a-secret-of-the-stories-0123456789abcdef",
  };
}
