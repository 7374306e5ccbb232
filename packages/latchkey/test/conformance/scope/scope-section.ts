/** One requirement of the standards list: its id, and what must be so. */
export interface Requirement {
  readonly id: string;
  readonly says: string;
  /** Ids whose tests prove this one as well. */
  readonly provedBy?: readonly string[];
}

/** As it is written down: id, sentence, ids that prove it as well. */
type Row = readonly [id: string, says: string, provedBy?: readonly string[]];

export interface Section {
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

export function section(title: string, rows: readonly Row[]): Section {
  return {
    title,
    requirements: rows.map(([id, says, provedBy]) => ({
      id,
      says,
      ...(provedBy === undefined ? {} : { provedBy }),
    })),
  };
}
