import { Checkbox } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'wouter';
import { roleOn } from '../../api/roles.ts';
import type { Session } from '../../api/session.ts';
import type { Instance } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { CopyText } from '../../ui/copy/CopyText.tsx';
import { PhaseMark } from '../../ui/display/PhaseMark.tsx';
import { phaseOf, usePhaseLabel } from '../../ui/display/phase.ts';
import { ServerName } from '../../ui/display/ServerName.tsx';
import { serverName } from '../../ui/display/server-name.ts';
import { LifecycleButtons } from '../server/header/LifecycleButtons.tsx';
import { ServerIcon } from '../server/identity/ServerIcon.tsx';
import { ServerMotd } from '../server/identity/ServerMotd.tsx';
import { addressToShare } from '../server/labels.ts';
import { asRunning } from '../server/running-values.ts';
import { CardStats } from './CardStats.tsx';
import { LastBackup } from './LastBackup.tsx';
import { overviewText } from './overview-text.ts';
import { WhoPlays } from './WhoPlays.tsx';

interface ServerCardProps {
  instance: Instance;
  session: Session;
  /** What the server runs, such as "Paper 1.21.4". */
  software: string;
  /** While servers are being selected. */
  selected?: boolean;
  onSelect?: (id: string) => void;
}

/**
 * A server as the game's own list shows it, with its state and the action that fits it. Renders only if the server has
 * changed, and plain elements where there is a choice: there may be hundreds.
 */
export const ServerCard = memo(({ instance, session, software, selected, onSelect }: ServerCardProps) => {
  const t = useWords(overviewText);
  const label = usePhaseLabel();
  const { id, name } = instance;
  const running = asRunning(instance);
  return (
    <article aria-label={serverName(instance)} className="server-card">
      <div className="server-card-rows">
        <div className="server-card-head">
          {onSelect && (
            <Checkbox
              mt={12}
              checked={selected === true}
              onChange={() => onSelect(id)}
              aria-label={t('selectOne', { name: serverName(instance) })}
            />
          )}
          <ServerIcon instance={instance} session={session} size={48} />
          <div className="server-card-title">
            <Link href={`/servers/${id}`} className="server-card-name truncated" title={name}>
              <ServerName instance={instance} />
            </Link>
            <div className="server-card-state">
              <PhaseMark phase={phaseOf(instance)} size={10} />
              <span className="truncated">{label(instance)}</span>
              {running.playersOnline !== undefined && running.playersOnline > 0 && <WhoPlays instance={instance} />}
            </div>
          </div>
          {roleOn(session, id) !== 'viewer' && <LifecycleButtons instance={instance} compact />}
        </div>
        <ServerMotd instance={instance} />
        <div className="server-card-about">
          <CopyText value={addressToShare(running, session)} />
          <span className="dimmed">{software}</span>
        </div>
        <div className="server-card-stats">
          <CardStats running={running} />
          <LastBackup instance={instance} />
        </div>
      </div>
    </article>
  );
});
