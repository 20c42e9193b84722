import type { CrashReport } from '../../shared/domain/instance/runtime.ts';
import type { Supervisors } from '../upstream/supervisors.ts';

export interface CrashesService {
  /** Newest first. Works while the server is stopped. */
  list(id: string): Promise<CrashReport[]>;
}

export function createCrashesService({ supervisors }: { supervisors: Supervisors }): CrashesService {
  return { list: (id) => supervisors.ask(id, (supervisor) => supervisor.crashes()) };
}
