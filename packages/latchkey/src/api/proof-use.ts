import type { Engine } from "../host/engine.ts";
import { nowSeconds } from "../config/runtime.ts";
import { isSameText, keyedHash, sha256 } from "../crypto/digest.ts";
import type { HeaderList } from "../http/headers.ts";
import { badProof, type Proof, proofWindowSeconds } from "./dpop.ts";
import { TokenRefused } from "./token-refused.ts";
import { createUsedProofs } from "./used-proofs.ts";

/** Accepts each proof once. */
export type OneUse = (proof: Proof, place: ProofPlace) => Promise<void>;

export interface ProofPlace {
  /** The thumbprint of its key. */
  readonly boundKey: string;
  /**
   * Who checks: some frameworks handle one request in two steps, each of which sees the same proof
   * once.
   */
  readonly step: "guard" | "handler";
}

/**
 * Remembers the used proofs while their time lasts (RFC 9449, 11.1): in the store, so that they
 * count once for all instances, else in memory.
 *
 * @throws {TokenRefused} for a proof that was used before
 * @throws {Refusal} `store_unavailable`
 */
export function createOneUse({ store, clock, timing, warnings }: Engine): OneUse {
  const keepMs = (2 * proofWindowSeconds + 1) * 1000;
  const used = createUsedProofs({ clock, timing, keepMs, atMost: 100_000 });
  return async ({ jti, issuedAt }, { boundKey, step }) => {
    const key = `dpop:${sha256(`${step} ${boundKey} ${jti}`)}`;
    const until = issuedAt + proofWindowSeconds + 1;
    if (store === null) warnings.once("dpop-memory", memoryWarning);
    const isNew =
      store === null ? used.add(boundKey, key, until * 1000) : await store.add(key, "1", until);
    if (!isNew) throw badProof("it was used before");
  };
}

const memoryWarning =
  "Used DPoP proofs are kept in the memory of this process: each instance accepts a proof once. Give all instances one store, or set api.dpop.nonce.";

/** Gives out nonces for proofs, and judges them. It keeps none. */
export interface Nonces {
  /**
   * Checks the nonce of a proof.
   *
   * @returns the header with the next nonce, if it is due
   * @throws {TokenRefused} `use_dpop_nonce`, with the nonce to use
   */
  check(proof: Proof): HeaderList;
}

/** Seconds; a nonce is good during its own slot and the next one. */
const slotSeconds = 120;

/** Nonces by the time: any instance with the same secret knows them (RFC 9449, section 9). */
export function createNonces(engine: Engine): Nonces {
  const { secrets } = engine;
  const nonceIn = (secret: string, slot: number) =>
    keyedHash(keyedHash(secret, "latchkey DPoP nonce"), String(slot));
  const isOf = (slot: number, nonce: string) =>
    secrets.current().some((secret) => isSameText(nonceIn(secret, slot), nonce));
  return {
    check({ nonce }) {
      const slot = Math.floor(nowSeconds(engine) / slotSeconds);
      const [newest = ""] = secrets.current();
      const headers: HeaderList = [["DPoP-Nonce", nonceIn(newest, slot)]];
      if (typeof nonce === "string" && isOf(slot, nonce)) return [];
      if (typeof nonce === "string" && isOf(slot - 1, nonce)) return headers;
      const description = "The DPoP proof needs the nonce of this response.";
      throw new TokenRefused("use_dpop_nonce", description, undefined, headers);
    },
  };
}
