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
import { ServerLetters } from '../../ui/display/ServerLetters.tsx';
import { ServerName } from '../../ui/display/ServerName.tsx';
import { serverName } from '../../ui/display/server-name.ts';
import { useSeen } from '../../ui/use-seen.ts';
import { LifecycleButtons } from '../server/header/LifecycleButtons.tsx';
import { ServerIcon } from '../server/identity/ServerIcon.tsx';
import { ServerMotd } from '../server/identity/ServerMotd.tsx';
import { addressToShare } from '../server/labels.ts';
import { asRunning } from '../server/running-values.ts';
import { CardStats } from './CardStats.tsx';
import { LastBackup } from './LastBackup.tsx';
import { overviewText } from './overview-text.ts';
import { WhoPlays } from './WhoPlays.tsx';

/** Pixels. */
const ICON_SIZE = 48;

interface ServerCardProps {
  instance: Instance;
  session: Session;
  /** What the server runs, such as "Paper 1.21.4". */
  software: string;
  /** It has a `server.properties`, and so worlds and a message of the day. */
  hasProperties: boolean;
  /** When the newest good backup was made, in ISO 8601; `null` without one, absent if that is unknown. */
  lastBackup: string | null | undefined;
  /** Once it has been on screen, it also shows the server's icon and message of the day, which are read for it. */
  isDetailed: boolean;
  /** While servers are being selected. */
  selected?: boolean;
  onSelect?: (id: string) => void;
}

/**
 * A server as the game's own list shows it, with its state and the action that fits it. Renders only if the server has
 * changed, and plain elements where there is a choice: there may be hundreds.
 */
export const ServerCard = memo((props: ServerCardProps) => {
  const { instance, session, software, hasProperties, lastBackup, isDetailed, selected, onSelect } = props;
  const t = useWords(overviewText);
  const label = usePhaseLabel();
  const { ref, isSeen } = useSeen<HTMLElement>(isDetailed);
  const { id, name } = instance;
  const running = asRunning(instance);
  return (
    <article ref={ref} aria-label={serverName(instance)} className="server-card">
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
          {isSeen ? (
            <ServerIcon instance={instance} session={session} size={ICON_SIZE} />
          ) : (
            <ServerLetters server={instance} size={ICON_SIZE} />
          )}
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
        {isSeen && hasProperties && <ServerMotd instance={instance} />}
        <div className="server-card-about">
          <CopyText value={addressToShare(running, session)} />
          <span className="dimmed">{software}</span>
        </div>
        <div className="server-card-stats">
          <CardStats running={running} />
          <LastBackup at={lastBackup} hasWorlds={hasProperties} />
        </div>
      </div>
    </article>
  );
});
