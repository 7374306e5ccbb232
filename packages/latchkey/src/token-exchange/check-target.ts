import { isListOfTexts } from "../crypto/json-object.ts";
import type { Form } from "./forms.ts";
import type { ExchangeTarget } from "../oidc/token-exchange.ts";

const names = ["audience", "resource", "scopes"];

/**
 * JavaScript lets `{ scope: "read" }` pass, which would request no scope.
 *
 * @throws {TypeError}
 */
export function checkTarget(form: Form, target: ExchangeTarget): void {
  const fault = isTarget(target)
    ? form.faultOf(target)
    : `accessToken({ exchange }) takes an object of ${names.join(", ")}, where scopes is a list.`;
  if (fault !== null) throw new TypeError(fault);
}

function isTarget(target: unknown): target is ExchangeTarget {
  if (typeof target !== "object" || target === null) return false;
  const { audience, resource, scopes = [] } = target as Record<string, unknown>;
  return (
    Object.keys(target).every((name) => names.includes(name)) &&
    [audience, resource].every((each) => each === undefined || typeof each === "string") &&
    isListOfTexts(scopes)
  );
}
