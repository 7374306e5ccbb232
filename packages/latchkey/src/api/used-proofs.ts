import type { Runtime } from "../config/runtime.ts";

/** The proofs used lately, by the thumbprints of their keys. */
export interface UsedProofs {
  /**
   * Returns `false` if the proof is known.
   *
   * @param client - the thumbprint of the key
   * @param until - epoch milliseconds: no clock on the wall accepts the proof after it
   */
  add(client: string, proof: string, until: number): boolean;
}

export interface UsedProofsOptions extends Pick<Runtime, "clock" | "timing"> {
  /** The shortest time that a proof is kept, in milliseconds. */
  readonly keepMs: number;
  /** Beyond this number, the client with most proofs loses the older half of its own. */
  readonly atMost: number;
}

/** When a proof may be forgotten, on both clocks: the later one counts. */
interface Kept {
  readonly until: number;
  readonly untilMonotonic: number;
}

/** Milliseconds between two looks at all proofs. */
const sweepEveryMs = 60_000;

/**
 * Remembers used proofs in the memory of this process. No client can push out the proofs of another
 * one. A proof is forgotten when both clocks say so: the clock on the wall may be set back.
 */
export function createUsedProofs({ clock, timing, keepMs, atMost }: UsedProofsOptions): UsedProofs {
  const clients = new Map<string, Map<string, Kept>>();
  let count = 0;
  let sweptAt = timing.monotonic();

  const isOver = ({ until, untilMonotonic }: Kept) =>
    until < clock() && untilMonotonic < timing.monotonic();

  function forget(client: string, proofs: Map<string, Kept>, isToGo: (kept: Kept) => boolean) {
    for (const [proof, kept] of proofs) {
      if (!isToGo(kept)) continue;
      proofs.delete(proof);
      count -= 1;
    }
    if (proofs.size === 0) clients.delete(client);
  }

  function sweep(): void {
    if (timing.monotonic() - sweptAt < sweepEveryMs) return;
    sweptAt = timing.monotonic();
    for (const [client, proofs] of clients) forget(client, proofs, isOver);
  }

  /** The oldest are the first ones of a `Map`. */
  function makeRoom(): void {
    if (count <= atMost) return;
    const [client, proofs] = [...clients].reduce((most, each) =>
      each[1].size > most[1].size ? each : most,
    );
    let left = Math.ceil(proofs.size / 2);
    forget(client, proofs, () => (left -= 1) >= 0);
  }

  return {
    add(client, proof, until) {
      sweep();
      const proofs = clients.get(client) ?? new Map<string, Kept>();
      const known = proofs.get(proof);
      if (known !== undefined && !isOver(known)) return false;
      if (known === undefined) count += 1;
      proofs.set(proof, { until, untilMonotonic: timing.monotonic() + keepMs });
      clients.set(client, proofs);
      makeRoom();
      return true;
    },
  };
}
