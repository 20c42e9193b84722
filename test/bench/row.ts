/** One line of the bench's table: what was measured, what it is compared with in the same run, and whether it holds. */
export interface BenchRow {
  /** The target's id, as `R1`. */
  readonly id: string;
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  readonly comparedWith?: string;
  readonly reference?: number;
  readonly ratio?: number;
  readonly goal: string;
  readonly pass: boolean;
}
