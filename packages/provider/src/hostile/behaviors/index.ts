import { authorizationResponse } from "./authorization-response.ts";
import { discovery } from "./discovery.ts";
import type { Entry } from "./entry.ts";
import { idTokenClaims } from "./id-token-claims.ts";
import { idTokenForm } from "./id-token-form.ts";
import { idTokenSignature } from "./id-token-signature.ts";
import { logout } from "./logout-token.ts";
import { quirks } from "./quirks.ts";
import { refresh } from "./refresh.ts";
import { tenants } from "./tenants.ts";
import { tokenResponse } from "./token-response.ts";
import type { TransportBehavior } from "./transport.ts";
import { transportEntry, transportNames } from "./transport.ts";
import { userinfo } from "./userinfo.ts";

const written = {
  ...idTokenClaims,
  ...idTokenSignature,
  ...idTokenForm,
  ...authorizationResponse,
  ...tokenResponse,
  ...refresh,
  ...userinfo,
  ...discovery,
  ...logout,
  ...quirks,
  ...tenants,
} satisfies Readonly<Record<string, Entry>>;

type WrittenBehavior = keyof typeof written;

/** A behavior by its id in the standards list; after a slash, one of several variants. */
export type BehaviorName = WrittenBehavior | TransportBehavior;

function isWritten(name: string): name is WrittenBehavior {
  return Object.hasOwn(written, name);
}

/** All names, of which a provider has one behavior at a time. */
export const behaviorNames: readonly BehaviorName[] = [
  ...Object.keys(written).filter(isWritten),
  ...transportNames,
];

export function behaviorOf(name: BehaviorName): Entry {
  return isWritten(name) ? written[name] : transportEntry(name);
}

/** All variants of one id: `behaviorsOfID("STD-011")`. */
export function behaviorsOfID(id: string): readonly BehaviorName[] {
  return behaviorNames.filter((name) => name === id || name.startsWith(`${id}/`));
}
