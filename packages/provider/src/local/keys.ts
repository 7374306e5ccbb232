import { generateKeyPair as generateKeyPairCallback, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { JWK } from "jose";
import { calculateJwkThumbprint, exportJWK } from "jose";

const generateKeyPair = promisify(generateKeyPairCallback);

/** Keys to preserve over a restart: signing keys, and the keys of the provider's cookies. */
export interface ProviderKeys {
  readonly jwks: { readonly keys: readonly JWK[] };
  readonly cookieKeys: readonly string[];
}

/**
 * Reads the keys from a folder, or makes them there. Without a folder the keys are new each time.
 *
 * Only its owner can read the file, and a rename writes it whole or not at all.
 */
export async function loadKeys(dataFolder: string | undefined): Promise<ProviderKeys> {
  if (dataFolder === undefined) return makeKeys();
  const file = join(dataFolder, "keys.json");
  const kept = await readKeys(file);
  if (kept !== null) return kept;
  const keys = await makeKeys();
  await mkdir(dataFolder, { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(keys, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
}

async function readKeys(file: string): Promise<ProviderKeys | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isProviderKeys(value) ? value : null;
  } catch {
    return null;
  }
}

function isProviderKeys(value: unknown): value is ProviderKeys {
  if (typeof value !== "object" || value === null) return false;
  if (!("jwks" in value) || !("cookieKeys" in value)) return false;
  const { jwks, cookieKeys } = value;
  return (
    typeof jwks === "object" &&
    jwks !== null &&
    "keys" in jwks &&
    Array.isArray(jwks.keys) &&
    Array.isArray(cookieKeys)
  );
}

async function makeKeys(): Promise<ProviderKeys> {
  const pairs = await Promise.all([
    generateKeyPair("rsa", { modulusLength: 2048 }),
    generateKeyPair("ec", { namedCurve: "P-256" }),
    generateKeyPair("ed25519", {}),
  ]);
  const keys = await Promise.all(
    pairs.map(async ({ privateKey }) => {
      const jwk = await exportJWK(privateKey);
      return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: "sig" };
    }),
  );
  return { jwks: { keys }, cookieKeys: [randomBytes(32).toString("base64url")] };
}
