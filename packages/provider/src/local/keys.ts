import { generateKeyPair as generateKeyPairCallback, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { JWK } from "jose";
import { calculateJwkThumbprint, exportJWK } from "jose";

const generateKeyPair = promisify(generateKeyPairCallback);

/** What must stay the same over restarts: signing keys, and the keys of the provider's cookies. */
export interface ProviderKeys {
  readonly jwks: { readonly keys: readonly JWK[] };
  readonly cookieKeys: readonly string[];
}

/**
 * The keys kept in a folder, made at the first call. Without a folder they are new each time.
 *
 * The file is readable by its owner only and written whole or not at all.
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
