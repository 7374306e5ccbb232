import type { ConnectionSettings } from "../config/config.ts";
import { connectionIDForm } from "../config/constants.ts";
import { faultOfLookedUp } from "../config/rules/looked-up-rules.ts";
import { isJSONObject, kindOf } from "../crypto/json-object.ts";
import { Refusal } from "../errors/refusal.ts";
import type { ConnectDeps } from "../host/part.ts";

/** In characters, as JSON. */
const longestAnswer = 64 * 1024;

/**
 * Reads what an app returns for the id of a connection.
 *
 * @throws {Refusal} `connection_invalid`
 */
export function readSettings(
  id: string,
  answer: unknown,
  { readConnection }: Pick<ConnectDeps, "readConnection">,
): ConnectionSettings {
  if (!isJSONObject(answer)) throw invalid(`the answer is ${kindOf(answer)}, not settings`);
  try {
    if (JSON.stringify(answer).length > longestAnswer) throw invalid("the answer is too large");
    const settings = readConnection(id, answer);
    // Those of a client in the settings are the app's own.
    const fault = settings.uses === id ? faultOfLookedUp(settings) : null;
    if (fault !== null) throw invalid(fault);
    return settings;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Also what an object does that is no JSON: members that throw, circles.
    throw invalid(error instanceof Error ? error.message : "the answer cannot be read");
  }
}

/**
 * Reads the id of a connection, which an app returns for a domain or an issuer. The look-up of its
 * settings checks the rest.
 *
 * @throws {Refusal} `connection_invalid`
 */
export function readID(answer: unknown): string | null {
  if (answer === null) return null;
  if (typeof answer === "string" && connectionIDForm.test(answer)) return answer;
  throw invalid(`the answer is ${kindOf(answer)}, not the id of a connection`);
}

function invalid(detail: string): Refusal {
  return new Refusal("connection_invalid", { detail });
}
