/** How much is measured. */
export interface Effort {
  /** How often all servers of a case are started anew. */
  readonly starts: number;
  /** After each start. */
  readonly rounds: number;
  /**
   * Approximate time of each subject in one round: short, since the speed of a core changes while
   * its neighbor is busy. The warm-up finds its number of requests.
   */
  readonly turnMs: number;
  /** Time of the warm-up: V8 compiles hot functions. */
  readonly warmUpMs: number;
  /**
   * Requests to each server before its warm-up: V8 compiles for this long, and threads of its own
   * do it at our expense. A large server takes longer than a small one.
   */
  readonly warmUpRequests: number;
  /** Requests to a server whose memory is measured. */
  readonly requestsEach: number;
}

/** A subject with known CPU time. */
export interface Subject {
  readonly name: string;
  /** CPU time of its whole process until now, in microseconds. */
  cpuMicros(): Promise<number>;
  /** Does its work so many times. */
  work(count: number): Promise<void>;
}

/** Figures by the subject's name, one a round. */
export type Figures = ReadonlyMap<string, readonly number[]>;

const firstCount = 16;

/**
 * Returns the CPU time of one piece of work in microseconds, one figure a round, for every subject.
 * The subjects take turns within each round, and every second round has the reverse order, so other
 * load on the machine affects all alike.
 */
export async function cpuTimeByRound(
  subjects: readonly Subject[],
  effort: Effort,
): Promise<Figures> {
  const figures = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  const counts = new Map<Subject, number>();
  for (const subject of subjects) counts.set(subject, await warmUp(subject, effort));
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const count = counts.get(subject) ?? firstCount;
      const before = await subject.cpuMicros();
      await subject.work(count);
      const after = await subject.cpuMicros();
      figures.get(subject.name)?.push((after - before) / count);
    }
  }
  return figures;
}

/** Returns the cost of each subject above one of them, within each round. */
export function above(figures: Figures, bare: string): Figures {
  const base = figures.get(bare) ?? [];
  const others = [...figures].filter(([name]) => name !== bare);
  return new Map(
    others.map(([name, each]) => [
      name,
      each.map((value, round) => value - (base[round] ?? Number.NaN)),
    ]),
  );
}

/** Returns the figures of several measurements as those of one. */
export function together(measured: readonly Figures[]): Figures {
  const [first = new Map<string, readonly number[]>()] = measured;
  return new Map(
    [...first.keys()].map((name) => [name, measured.flatMap((each) => each.get(name) ?? [])]),
  );
}

/** Runs the warm-up and returns how often the work fits into one turn. */
async function warmUp({ work }: Subject, { warmUpMs, turnMs }: Effort): Promise<number> {
  const start = performance.now();
  let count = firstCount / 2;
  let tookMs = 0;
  while (performance.now() - start < warmUpMs) {
    count = Math.ceil(tookMs * 4 < warmUpMs ? count * 2 : count);
    const startOfBatch = performance.now();
    await work(count);
    tookMs = performance.now() - startOfBatch;
  }
  return Math.max(firstCount, Math.round((count / tookMs) * turnMs));
}
