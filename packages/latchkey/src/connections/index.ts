import { isJSONObject } from "../crypto/json-object.ts";
import type { OptionForm } from "../config/option-forms.ts";
import type { Part } from "../host/part.ts";
import { addLookUps } from "./look-ups.ts";
import type { LookUpOptions } from "./look-up-options.ts";

export type { ConnectionOptions } from "../config/connection-options.ts";
export type { LookUpOptions } from "./look-up-options.ts";

/**
 * Looks connections up when they are needed, beside that of the flat settings: pass the result to
 * `createAuth` as `connections`. A look-up answers sign-ins, not reads: if it fails, sessions go
 * on, and sign-ins at its connection are refused with `connection_unavailable`. If it returns
 * `null`, the sessions of its connection do not count.
 *
 * Never throws: `auth.ready()` or the first request reports what is wrong with the options.
 */
export function lookUp(options: LookUpOptions): Part<"connections"> {
  return {
    name: "connections",
    written: { place: "connections", call: "lookUp()", options, forms },
    listed: isJSONObject(options) ? listedIn(options) : undefined,
    connect: (connections, deps) => addLookUps(connections, options, deps),
    open: () => ({}),
  };
}

/** What has another form is a fault of its own. */
function listedIn({ listed }: LookUpOptions): LookUpOptions["listed"] {
  return isJSONObject(listed) ? listed : undefined;
}

const aFunction: OptionForm = {
  expected: "must be a function",
  isGood: (value) => typeof value === "function",
};

function aNumber(expected: string): OptionForm {
  return { expected, isGood: (value) => Number.isSafeInteger(value) && Number(value) > 0 };
}

const seconds = aNumber("must be a whole number of seconds");

const forms: Readonly<Record<keyof LookUpOptions, OptionForm>> = {
  listed: { expected: "must be an object of connections by their ids", isGood: isJSONObject },
  byID: { ...aFunction, isRequired: true },
  byDomain: aFunction,
  byIssuer: aFunction,
  freshFor: seconds,
  keepFor: seconds,
  atMost: aNumber("must be a whole number of connections"),
  timeout: aNumber("must be a whole number of milliseconds"),
  issuers: aFunction,
};
