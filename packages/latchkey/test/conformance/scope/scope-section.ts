/** One requirement of the standards list: its id, and what must be so. */
export interface Requirement {
  readonly id: string;
  readonly says: string;
  /** Ids whose tests prove this one as well. */
  readonly provedBy?: readonly string[];
}

/** A row as written down: id, sentence, other ids with tests for it. */
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
