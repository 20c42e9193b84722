/** One measured figure, beside what it is compared with in the same run. Ratios count; absolute figures differ by machine. */
export interface BenchRow {
  /** Such as `B1`. */
  id: string;
  what: string;
  /** With its unit, such as `412 MB/s`. */
  figure: string;
  comparedWith: string;
  ratio: number;
  /** In words, such as `at least 1`. */
  goal: string;
  verdict: 'pass' | 'short';
}
