import { useInstance } from '../api/instances.ts';
import { roleOn } from '../api/roles.ts';
import type { Session } from '../api/session.ts';
import { useWords } from '../text/section.ts';
import { shellText } from './shell-text.ts';

/** A link to the command line of a server's console, while the user can type there. */
export function SkipToCommand({ id, session }: { id: string; session: Session }) {
  const t = useWords(shellText);
  const instance = useInstance(id);
  if (!instance || instance.status === 'stopped' || roleOn(session, id) === 'viewer') return null;
  return (
    <a className="skip-link" href="#command-line">
      {t('skipToCommand')}
    </a>
  );
}
