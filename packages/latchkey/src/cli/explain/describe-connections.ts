import type { Config, ConnectionSettings } from "../../config/config.ts";
import { type Registration, registrationsOf } from "../../oidc/registrations.ts";

/** Returns what the settings say of each connection, and what to register; without secrets. */
export function describeConnections(config: Config): string {
  const registrations = new Map(registrationsOf(config).map((each) => [each.id, each]));
  return Object.values(config.connections)
    .map((each) => describe(each, registrations.get(each.id)))
    .join("\n\n");
}

function describe(settings: ConnectionSettings, registration: Registration | undefined): string {
  const { id, label, uses, organization, acr, maxAge, domains, otherEmails, hosts } = settings;
  const { rolling, absolute } = settings.lifetime;
  const lines: readonly (readonly [name: string, value: string])[] = [
    ["uses", uses === id ? "" : `the client of ${uses}`],
    ["issuer", settings.issuerBaseURL],
    ["client ID", settings.clientID],
    ["client secret", settings.clientSecret === undefined ? "" : "set"],
    ["signing key", settings.clientAssertionSigningKey === undefined ? "" : "set"],
    ["organization", organization ?? ""],
    ["acr", acr.join(" ")],
    ["max age", maxAge === undefined ? "" : `${maxAge} s`],
    ["domains", domains.length === 0 ? "" : `${domains.join(" ")}; other emails: ${otherEmails}`],
    ["hosts", hosts.join(" ")],
    ["hidden", settings.hidden ? "yes" : ""],
    ["session", `${secondsOf(rolling)} without use, ${secondsOf(absolute)} in all`],
    ["redirect URI", registration?.redirectURIs.join(" ") ?? ""],
    ["after logout", registration?.afterLogout.join(" ") ?? ""],
    ["logout tokens", registration?.backchannelLogout ?? ""],
    ["front-channel", registration?.frontchannelLogout ?? ""],
  ];
  const shown = lines.filter(([, value]) => value !== "");
  return [
    `${id} (${label})`,
    ...shown.map(([name, value]) => `  ${name.padEnd(14)} ${value}`),
  ].join("\n");
}

function secondsOf(limit: number | null): string {
  return limit === null ? "no limit" : `${limit} s`;
}
