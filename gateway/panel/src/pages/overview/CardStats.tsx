import type { ReactNode } from 'react';
import type { Instance } from '../../api/transport/client.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { memoryLevel, tpsLevel } from '../../ui/display/level.ts';
import { Rated } from '../../ui/display/Rated.tsx';
import { playerCount } from '../server/labels.ts';
import { serverText } from '../server/server-text.ts';

/** Players, CPU, memory and ticks of a server, as far as they are known. `running`: with the values that it runs with. */
export function CardStats({ running }: { running: Instance }) {
  const t = useWords(serverText);
  const { number, percent, memory } = useQuantities();
  const { playersOnline, cpuPercent, memoryUsedMb, memoryMb, tps } = running;
  return (
    <>
      {playersOnline !== undefined && <CardStat label={t('players')}>{playerCount(running)}</CardStat>}
      {cpuPercent !== undefined && <CardStat label={t('cpu')}>{percent(cpuPercent)}</CardStat>}
      {memoryUsedMb !== undefined && (
        <CardStat label={t('memory')}>
          <Rated level={memoryLevel(memoryUsedMb, memoryMb)} why={t('muchMemory')}>
            {memory(memoryUsedMb)}
          </Rated>
        </CardStat>
      )}
      {tps !== undefined && (
        <CardStat label={t('tps')}>
          <Rated level={tpsLevel(tps)} why={t('lags')}>
            {number(tps, 1)}
          </Rated>
        </CardStat>
      )}
    </>
  );
}

/** `children`: the value. */
export function CardStat({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="server-card-stat">
      <span className="dimmed">{label}</span> {children}
    </span>
  );
}
