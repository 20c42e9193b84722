import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { notBefore, useNow } from '../../ui/display/use-now.ts';
import { CardStat } from './CardStats.tsx';
import { overviewText } from './overview-text.ts';

interface LastBackupProps {
  /** In ISO 8601; `null` if there is none. */
  at: string | null | undefined;
  /** The server has worlds, which should have a backup. */
  hasWorlds: boolean;
}

/** When the newest good backup of a server was made, or that a server with worlds has none. Nothing while that is unknown. */
export function LastBackup({ at, hasWorlds }: LastBackupProps) {
  const t = useWords(overviewText);
  if (at === undefined) return null;
  if (at !== null) return <BackupAge at={at} />;
  return hasWorlds && <span className="dimmed">{t('neverBackedUp')}</span>;
}

function BackupAge({ at }: { at: string }) {
  const t = useWords(overviewText);
  const { relative, exact } = useQuantities();
  const now = useNow();
  return (
    <CardStat label={t('lastBackup')}>
      <time dateTime={at} title={exact(at)}>
        {relative(at, notBefore(Date.parse(at), now))}
      </time>
    </CardStat>
  );
}
