import type { SoftwareDefinition } from './definition.ts';

/** Custom software: the files in the `software` folder of the data directory. */
export interface CustomSoftware {
  kinds: SoftwareDefinition[];
  /** Invalid files, and what is wrong with each. */
  problems: { file: string; problem: string }[];
}
