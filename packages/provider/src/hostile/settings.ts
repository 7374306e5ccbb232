import type { Certificate } from "../http/self-signed-certificate.ts";
import type { Behaviour } from "./behaviour.ts";
import type { BehaviourName } from "./behaviours/index.ts";
import type { HostileClient } from "./client.ts";

/** What `startHostileProvider` is given; every setting has a default. */
export interface HostileSettings {
  /** How it behaves at first. Default: well. */
  readonly behaviour?: BehaviourName | Behaviour;
  /** Port on localhost; 0, the default, takes any free one. */
  readonly port?: number;
  /** Path of the issuer, kept as it is: `/realms/one`, `/tenant/`. Default none. */
  readonly issuerPath?: string;
  readonly client?: Partial<HostileClient>;
  /** Claims of the person that signs in. */
  readonly person?: Readonly<Record<string, unknown>>;
  /** Where the person's claims are found. Default `id-token` (and userinfo). */
  readonly claimsIn?: "id-token" | "userinfo";
  /** Listen with https: key and certificate in PEM. Default: http. */
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
