import crypto, { type KeyPairKeyObjectResult } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";

type Options = Readonly<Record<string, unknown>>;
type Done = (error: Error | null, publicKey?: unknown, privateKey?: unknown) => void;

/** More than a test has in use at a time. */
const pairsAtMost = 12;

const make = crypto.generateKeyPairSync as (type: string, options: Options) => unknown;
const makeLater = crypto.generateKeyPair as (type: string, options: Options, done: Done) => void;
const pools = new Map<number, { taken: number; readonly pairs: KeyPairKeyObjectResult[] }>();
let isOn = false;

/**
 * Lets this thread use each RSA pair again after eleven others: to make one takes longer than a
 * sign-in, and every provider of a test has one.
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
  return (pool.pairs[place] ??= make("rsa", { modulusLength }) as KeyPairKeyObjectResult);
}

/** Whether only the size of an RSA key is chosen. */
function isPlainRSA(type: string, options: Options): options is { readonly modulusLength: number } {
  return type === "rsa" && Object.keys(options).join(" ") === "modulusLength";
}
