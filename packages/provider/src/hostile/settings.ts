import type { Certificate } from "../http/certificate.ts";
import type { Behavior } from "./behavior.ts";
import type { BehaviorName } from "./behaviors/index.ts";
import type { HostileClient } from "./client.ts";

/** Settings of `startHostileProvider`; each has a default. */
export interface HostileSettings {
  /** How it behaves from the start. Default: well. */
  readonly behavior?: BehaviorName | Behavior;
  /** Port on localhost; 0, the default, takes any free one. */
  readonly port?: number;
  /** Path of the issuer, used unchanged: `/realms/one`, `/tenant/`. Default: none. */
  readonly issuerPath?: string;
  readonly client?: Partial<HostileClient>;
  /** Claims of the person. */
  readonly person?: Readonly<Record<string, unknown>>;
  /** The place of the person's claims besides userinfo. Default `id-token`. */
  readonly claimsIn?: "id-token" | "userinfo";
  /** Key and certificate for https, in PEM. Default: plain http. */
  readonly tls?: Certificate;
  /** The provider's clock, milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

export const defaultHostilePerson: Readonly<Record<string, unknown>> = {
  sub: "person-of-the-hostile-provider",
  name: "Hedwig Falk",
  given_name: "Hedwig",
  family_name: "Falk",
  email: "hedwig@example.com",
  email_verified: true,
};
