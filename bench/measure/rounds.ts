/** How much is measured. */
export interface Effort {
  readonly rounds: number;
  /** How long each subject is at work in one round, about; how much it does in that time is found out before. */
  readonly turnMs: number;
  /** How long it is at work before the first round: what is used often is compiled by then. */
  readonly warmUpMs: number;
  /** How many pages the web application makes before that: V8 goes on compiling for so long. */
  readonly warmUpPages: number;
  /** How many processes of one server are started to measure their memory. */
  readonly freshProcesses: number;
  /** How many requests each of those is sent. */
  readonly requestsEach: number;
}

/** Something that works and whose CPU time is known. */
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
 * CPU time in microseconds for doing the work once, one figure a round, for every subject. The subjects take
 * turns within each round, and every second round goes the other way, so that what disturbs the machine disturbs
 * all alike.
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

/** What each subject takes above one of them, within each round. */
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

/** Works until the time is over and tells how often the work fits into one turn. */
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
