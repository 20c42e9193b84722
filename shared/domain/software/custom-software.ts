import type { SoftwareDefinition } from './definition.ts';

/** The owner's own kinds of server software: what the files in the data directory's `software` folder come to. */
export interface CustomSoftware {
  kinds: SoftwareDefinition[];
  /** Files that are no kind, and what is wrong with each. */
  problems: { file: string; problem: string }[];
}
