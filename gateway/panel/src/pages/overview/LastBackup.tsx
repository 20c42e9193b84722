import { useLastBackup } from '../../api/host.ts';
import { useSoftware } from '../../api/software.ts';
import type { Instance } from '../../api/transport/client.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { notBefore, useNow } from '../../ui/display/use-now.ts';
import { CardStat } from './CardStats.tsx';
import { overviewText } from './overview-text.ts';

/** When the newest good backup of a server was made, or that a server with worlds has none. Nothing until that is known. */
export function LastBackup({ instance: { id, software } }: { instance: Instance }) {
  const at = useLastBackup(id);
  if (at === undefined) return null;
  return at === null ? <NoBackup software={software} /> : <BackupAge at={at} />;
}

function NoBackup({ software }: Pick<Instance, 'software'>) {
  const t = useWords(overviewText);
  const hasWorlds = useSoftware().data?.find(({ kind }) => kind === software)?.properties === true;
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
