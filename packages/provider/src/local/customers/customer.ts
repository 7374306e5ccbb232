import { createHmac } from "node:crypto";
import type { ProviderSettings } from "../settings.ts";
import { defaultAppURL, defaultClientSecret } from "../settings.ts";
import { addressesOf } from "../clients.ts";
import { customerUsers } from "./customer-users.ts";

/** The form of the id of a connection, which is also part of addresses. */
const idForm = /^[a-z][a-z0-9-]{0,62}$/u;

/** @throws Error with one sentence if the names cannot be connections of one application */
export function checkNames(names: readonly string[]): void {
  const faulty = names.find((name) => !idForm.test(name) || name === "default");
  if (faulty !== undefined) {
    throw new Error(
      `"${faulty}" cannot be a customer: use small letters, digits and hyphens, such as acme.`,
    );
  }
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`"${twice}" is named twice.`);
  if (names.length === 0) throw new Error("Name at least one customer, such as acme.");
}

/** The name of a customer on pages: "acme-corp" becomes "Acme Corp". */
export function labelOf(name: string): string {
  const words = name.split("-").filter((word) => word !== "");
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(" ");
}

/** The email domain of a customer. It cannot be registered (RFC 2606, section 2). */
export function domainOf(name: string): string {
  return `${name}.example`;
}

/**
 * The settings of a customer's issuer: its client, with the addresses of a connection of this name,
 * and its users.
 *
 * @param settings those for all customers; secrets of clients are derived from `clientSecret`
 */
export function customerSettings(
  name: string,
  place: number,
  settings: ProviderSettings,
): ProviderSettings {
  const { appURL = defaultAppURL, clientSecret = defaultClientSecret, dataFolder } = settings;
  const addresses = addressesOf(settings);
  const [{ routes }] = addresses;
  return {
    ...settings,
    appURL,
    clientID: `latchkey-${name}`,
    clientSecret: createHmac("sha256", clientSecret).update(name).digest("base64url"),
    client: {
      redirectURIs: addresses.map((each) => `${each.routes}/callback/${name}`),
      backchannelLogoutURI: `${routes}/backchannel-logout/${name}`,
      initiateLoginURI: `${routes}/login/${name}`,
      ...settings.client,
    },
    users: settings.users ?? customerUsers(domainOf(name), place),
    ...(dataFolder === undefined ? {} : { dataFolder: `${dataFolder}/${name}` }),
  };
}
