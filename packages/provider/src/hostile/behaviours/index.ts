import type { AuthorizationResponseBehaviour } from "./authorization-response.ts";
import { authorizationResponse } from "./authorization-response.ts";
import type { DiscoveryBehaviour } from "./discovery.ts";
import { discovery } from "./discovery.ts";
import type { Entry } from "./entry.ts";
import type { IDTokenClaimsBehaviour } from "./id-token-claims.ts";
import { idTokenClaims } from "./id-token-claims.ts";
import type { IDTokenFormBehaviour } from "./id-token-form.ts";
import { idTokenForm } from "./id-token-form.ts";
import type { IDTokenSignatureBehaviour } from "./id-token-signature.ts";
import { idTokenSignature } from "./id-token-signature.ts";
import type { LogoutBehaviour } from "./logout-token.ts";
import { logout } from "./logout-token.ts";
import type { QuirkBehaviour } from "./quirks.ts";
import { quirks } from "./quirks.ts";
import type { RefreshBehaviour } from "./refresh.ts";
import { refresh } from "./refresh.ts";
import type { TokenResponseBehaviour } from "./token-response.ts";
import { tokenResponse } from "./token-response.ts";
import type { TransportBehaviour } from "./transport.ts";
import { transportEntry, transportNames } from "./transport.ts";
import type { UserinfoBehaviour } from "./userinfo.ts";
import { userinfo } from "./userinfo.ts";

type WrittenBehaviour =
  | AuthorizationResponseBehaviour
  | DiscoveryBehaviour
  | IDTokenClaimsBehaviour
  | IDTokenFormBehaviour
  | IDTokenSignatureBehaviour
  | LogoutBehaviour
  | QuirkBehaviour
  | RefreshBehaviour
  | TokenResponseBehaviour
  | UserinfoBehaviour;

/** A behaviour by its id in the standards list; after a slash, one of several variants. */
export type BehaviourName = WrittenBehaviour | TransportBehaviour;

const written: Readonly<Record<WrittenBehaviour, Entry>> = {
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
};

function isWritten(name: string): name is WrittenBehaviour {
  return Object.hasOwn(written, name);
}

/** All names. */
export const behaviourNames: readonly BehaviourName[] = [
  ...Object.keys(written).filter(isWritten),
  ...transportNames,
];

/** The behaviour with a name. */
export function behaviourOf(name: BehaviourName): Entry {
  return isWritten(name) ? written[name] : transportEntry(name);
}

/** All variants of one id: `behavioursOfID("STD-011")`. */
export function behavioursOfID(id: string): readonly BehaviourName[] {
  return behaviourNames.filter((name) => name === id || name.startsWith(`${id}/`));
}
