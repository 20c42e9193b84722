import type { SoftwareFile } from '../../../shared/domain/software/extend-definition.ts';
import type { Variable } from '../../../shared/domain/software/variable.ts';

/** A kind that was made from another program's description of a game, with everything its owner should read before using it. */
export interface ImportedKind {
  file: SoftwareFile;
  /** What could not be taken over, or was assumed. */
  notes: string[];
  /** Scripts of the original. They are never run. */
  scripts: { title: string; text: string }[];
}

/** What an import collects on its way through the original. */
export class Findings {
  readonly notes: string[] = [];
  readonly variables: Variable[] = [];
  readonly ports: { name: string; transport: 'tcp' | 'udp'; first: number }[] = [];
  /** Placeholders by the names that the original uses. */
  readonly references = new Map<string, string>();

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }
}
