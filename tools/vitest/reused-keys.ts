import crypto, { type KeyObject, type KeyPairKeyObjectResult } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

type Options = Readonly<Record<string, unknown>>;
type Done = (error: Error | null, publicKey?: unknown, privateKey?: unknown) => void;

/** More than a test has in use at a time. */
const pairsAtMost = 12;

/** Here other processes and later runs find the pairs. */
const folder = path.join(import.meta.dirname, "../../.data/test-keys");

const make = crypto.generateKeyPairSync as (type: string, options: Options) => unknown;
const makeLater = crypto.generateKeyPair as (type: string, options: Options, done: Done) => void;
const pools = new Map<number, { taken: number; readonly pairs: KeyPairKeyObjectResult[] }>();
let isOn = false;

/**
 * Lets tests use each RSA pair again after eleven others: to make one takes longer than a sign-in,
 * and every provider of a test has one. A run on the same machine finds the pairs of the last one.
 */
export function reuseKeys(): void {
  if (isOn) return;
  isOn = true;
  const generateKeyPair = Object.assign(
    (type: string, options: Options, done: Done) => {
      if (!isPlainRSA(type, options)) return makeLater(type, options, done);
      const { publicKey, privateKey } = takePair(options.modulusLength);
      return process.nextTick(done, null, publicKey, privateKey);
    },
    {
      [promisify.custom]: async (type: string, options: Options) =>
        isPlainRSA(type, options)
          ? takePair(options.modulusLength)
          : promisify(makeLater)(type, options),
    },
  );
  const generateKeyPairSync = (type: string, options: Options) =>
    isPlainRSA(type, options) ? takePair(options.modulusLength) : make(type, options);
  Object.assign(crypto, { generateKeyPair, generateKeyPairSync });
  syncBuiltinESMExports();
}

function takePair(modulusLength: number): KeyPairKeyObjectResult {
  const pool = pools.get(modulusLength) ?? { taken: 0, pairs: [] };
  pools.set(modulusLength, pool);
  const place = (pool.taken += 1) % pairsAtMost;
  return (pool.pairs[place] ??= keptPair(modulusLength, place));
}

function keptPair(modulusLength: number, place: number): KeyPairKeyObjectResult {
  const file = path.join(folder, `rsa-${modulusLength}-${place}.pem`);
  const privateKey = readPrivateKey(modulusLength, file);
  return { publicKey: crypto.createPublicKey(privateKey), privateKey };
}

function readPrivateKey(modulusLength: number, file: string): KeyObject {
  try {
    return crypto.createPrivateKey(readFileSync(file));
  } catch {
    return makePrivateKey(modulusLength, file);
  }
}

function makePrivateKey(modulusLength: number, file: string): KeyObject {
  const { privateKey } = make("rsa", { modulusLength }) as KeyPairKeyObjectResult;
  mkdirSync(folder, { recursive: true });
  // Whole or not at all, if two processes make it at the same time.
  const written = `${file}.${crypto.randomUUID()}`;
  writeFileSync(written, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  renameSync(written, file);
  return privateKey;
}

/** Whether only the size of an RSA key is chosen. */
function isPlainRSA(type: string, options: Options): options is { readonly modulusLength: number } {
  return type === "rsa" && Object.keys(options).join(" ") === "modulusLength";
}
