import { transactionLifetimeSeconds } from "../config/constants.ts";
import type { LoginParams } from "../config/protocol-parameters.ts";
import { isJSONObject, isListOfTexts } from "../crypto/json-object.ts";
import type { StepUp } from "../errors/access-errors.ts";
import { openJSONHere, sealHere, type Sealing } from "./sealing.ts";

/** What an address of login carries sealed. In plain text a user could change it. */
export interface SealedLogin {
  /** The requirements of the sign-in. A forged text could request less from the provider. */
  readonly stepUp?: StepUp | undefined;
  /** The parameters that a handler has set. In plain text only allowed ones pass. */
  readonly params?: LoginParams | undefined;
}

/** Seals a value as text for the address of login. */
export interface LoginSeal {
  seal(login: SealedLogin): string;
  /** Returns nothing for a text that was not sealed here within the last hour. */
  open(text: string | null | undefined): SealedLogin;
}

export function createLoginSeal(sealing: Omit<Sealing, "config">): LoginSeal {
  const { clock } = sealing;
  return {
    seal: (login) => sealHere(sealing, JSON.stringify({ ...login, sealed: clock() })),
    open(text) {
      const opened = openJSONHere(sealing, text ?? "");
      if (!isJSONObject(opened)) return {};
      const { sealed, stepUp, params } = opened;
      const isCurrent =
        typeof sealed === "number" && clock() < sealed + transactionLifetimeSeconds * 1000;
      if (!isCurrent) return {};
      return {
        stepUp: isStepUp(stepUp) ? stepUp : undefined,
        params: isParams(params) ? params : undefined,
      };
    },
  };
}

/** Returns whether a sealed value holds the requirements of a sign-in. */
export function isStepUp(value: unknown): value is StepUp {
  if (!isJSONObject(value)) return false;
  const { maxAge, acr, isFirst, connections } = value;
  return (
    (isFirst === undefined || isFirst === true) &&
    (maxAge === undefined || typeof maxAge === "number") &&
    [acr, connections].every((each) => each === undefined || isListOfTexts(each))
  );
}

function isParams(value: unknown): value is LoginParams {
  return isJSONObject(value) && Object.values(value).every((each) => typeof each === "string");
}
