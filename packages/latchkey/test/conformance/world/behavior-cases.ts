import {
  type BehaviorName,
  behaviorNames,
  behaviorOf,
  type Entry,
  type Expectation,
} from "@latchkey/provider/hostile";

import type { Options } from "../../../src/index.ts";
import { type Attempt, signIn } from "./attempt.ts";
import type { Subject } from "./behavior-subjects.ts";
import type { HostileWorld } from "./hostile-world.ts";
import { playedBehaviors } from "../plans/plans.ts";
import { cited } from "../scope/standard-sections.ts";

export type ResponseType = "code" | "code id_token" | "id_token";
export const responseTypes: readonly ResponseType[] = ["code", "code id_token", "id_token"];

/** One behavior of the provider under one response type. */
export interface Case {
  readonly name: BehaviorName;
  readonly id: string;
  readonly says: string;
  readonly responseType: ResponseType;
}

/** Faults visible only at the token endpoint, so never without one. */
const behindOnly: readonly string[] = ["CERT-038", "STD-016", "STD-018", "STD-049"];

export function isBehindOnly({ id }: Pick<Case, "id">): boolean {
  return behindOnly.includes(id);
}

/**
 * Returns every matching behavior with each response type for which it is visible. The plans of the
 * certification play some with a code.
 */
function casesOf(
  isMeant: (name: BehaviorName, entry: Entry) => boolean,
  types: readonly ResponseType[] = responseTypes,
): readonly Case[] {
  return behaviorNames
    .filter((name) => isMeant(name, behaviorOf(name)))
    .flatMap((name) => {
      const { says, needs } = behaviorOf(name);
      const id = idOf(name);
      return typesFor(id, needs?.responseType, types).map((responseType) => ({
        name,
        id,
        says,
        responseType,
      }));
    })
    .filter(({ name, responseType }) => responseType !== "code" || !playedBehaviors.has(name));
}

/**
 * Returns cases with titles for `test.each(…)("%s", (_, each) => …)`. A title ends with the section
 * and id of its rule.
 */
function titled(cases: readonly Case[]): readonly (readonly [title: string, each: Case])[] {
  return cases.map((each) => [
    `${each.says}, with response type ${each.responseType} ${cited(each.id)}`,
    each,
  ]);
}

export function titledCases({ concerns, expectations }: Subject, types?: readonly ResponseType[]) {
  return (expectation: Expectation) =>
    titled(
      casesOf(
        (name, entry) =>
          concerns(name, entry) &&
          expectations.includes(expectation) &&
          entry.expect === expectation,
        types,
      ),
    );
}

function typesFor(
  id: string,
  needed: ResponseType | undefined,
  types: readonly ResponseType[],
): readonly ResponseType[] {
  if (needed !== undefined) return [needed];
  return isBehindOnly({ id }) ? types.filter((type) => type !== "id_token") : types;
}

/** `STD-011/text` is of `STD-011`. */
function idOf(name: string): string {
  return name.split("/", 1)[0] ?? name;
}

/** Returns the client settings needed by a behavior. */
export function optionsFor(
  world: HostileWorld,
  name: BehaviorName,
  responseType: ResponseType = "code",
): Partial<Options> {
  const { behavior, needs = {} } = behaviorOf(name);
  const { alg, authMethod } = behavior;
  return {
    responseType: needs.responseType ?? responseType,
    ...(needs.responseMode === undefined ? {} : { responseMode: needs.responseMode }),
    ...(needs.maxAge === undefined ? {} : { maxAge: needs.maxAge }),
    ...(needs.pushed === undefined ? {} : { pushedAuthorizationRequests: true }),
    ...(alg === undefined ? {} : { idTokenSigningAlg: alg }),
    ...(authMethod === undefined || authMethod === "none" ? {} : { clientAuthMethod: authMethod }),
    ...(authMethod === "private_key_jwt"
      ? { clientAssertionSigningKey: world.clientKey, clientAssertionSigningAlg: "ES256" as const }
      : {}),
  };
}

/**
 * Signs in at the provider with this behavior. If the behavior needs an earlier sign-in, the first
 * one succeeds.
 */
export async function signInUnder(
  world: HostileWorld,
  { name, responseType }: Pick<Case, "name" | "responseType">,
  more: Partial<Options> = {},
): Promise<Attempt> {
  const options = { ...optionsFor(world, name, responseType), ...more };
  const browser = world.browser();
  if (behaviorOf(name).needs?.secondSignIn === undefined) {
    world.setUp({ conduct: name, options });
  } else {
    world.setUp({ options });
    await signIn(world, { browser });
    world.provider.behave(name);
  }
  return signIn(world, { browser });
}
