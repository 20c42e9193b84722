import { Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type LifecycleAction, useLifecycle } from '../../../api/instances.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { PlainButton } from '../../../ui/button/PlainButton.tsx';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { phaseOf } from '../../../ui/display/phase.ts';
import { serverName } from '../../../ui/display/server-name.ts';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import { useToolbar } from '../../../ui/toolbar/use-toolbar.ts';
import { serverText } from '../server-text.ts';
import { disconnecting } from './DisconnectPlayers.tsx';
import { LifecycleMenu, STOP } from './LifecycleMenu.tsx';
import { notifyFailedStart } from './notify-failed-start.ts';

export interface LifecycleButtonsProps {
  instance: Instance;
  /** Only the main button and the menu. */
  compact?: boolean;
  /** The page shows the server's notices, and so a start that failed. */
  hasNotices?: boolean;
}

/** The main action for the server's state, with the others next to it or in a menu. */
export function LifecycleButtons({ instance, compact = false, hasNotices = false }: LifecycleButtonsProps) {
  const t = useWords(serverText);
  const lifecycle = useLifecycle();
  const [killing, { open, close }] = useDisclosure(false);
  const run = (action: LifecycleAction) => lifecycle.mutateAsync({ id: instance.id, action });
  const startFailed = (error: unknown) => (hasNotices ? notifyFailedStart(error, instance) : notifyProblem(error));
  const act = (action: 'start' | 'stop' | 'restart') => {
    if (action === 'start') run(action).catch(startFailed);
    else disconnecting(instance, action, { run: () => run(action), onError: notifyProblem });
  };
  const stopped = instance.status === 'stopped';
  const stopping = phaseOf(instance) === 'stopping';
  const sleeping = phaseOf(instance) === 'sleeping';
  const Row = compact ? CompactRow : Toolbar;
  return (
    <>
      <Row>
        {stopped ? (
          <PlainButton
            starts
            icon={<IconPlayerPlay size={16} />}
            onClick={() => act('start')}
            loading={lifecycle.isPending}
            disabled={instance.activity === 'restoring'}
          >
            {t('start')}
          </PlainButton>
        ) : (
          <>
            <PlainButton
              icon={<IconPlayerStop size={16} color={STOP} />}
              onClick={() => act('stop')}
              loading={lifecycle.isPending || stopping}
            >
              {t('stop')}
            </PlainButton>
            {!compact && (
              <PlainButton
                icon={<IconRefresh size={16} />}
                onClick={() => act('restart')}
                disabled={lifecycle.isPending || stopping}
              >
                {t('restart')}
              </PlainButton>
            )}
          </>
        )}
        {sleeping && !compact && (
          <PlainButton icon={<IconPlayerStop size={16} color={STOP} />} onClick={() => act('stop')}>
            {t('stop')}
          </PlainButton>
        )}
        {(!stopped || (sleeping && compact)) && (
          <LifecycleMenu instance={instance} compact={compact} act={act} onKill={open} />
        )}
      </Row>
      {/* Not in the row, which is another one when the window becomes narrow. */}
      {killing && (
        <Confirm
          opened
          onClose={close}
          title={t('killTitle', { name: serverName(instance) })}
          action={t('kill')}
          word={instance.name.trim()}
          onConfirm={() => run('kill')}
        >
          {t('killWarning')}
        </Confirm>
      )}
    </>
  );
}

function CompactRow({ children }: { children: ReactNode }) {
  return <div className="lifecycle-buttons">{children}</div>;
}

function Toolbar({ children }: { children: ReactNode }) {
  const t = useWords(serverText);
  const toolbar = useToolbar();
  return (
    <Group gap="xs" wrap="nowrap" {...toolbar} aria-label={t('actions')}>
      {children}
    </Group>
  );
}
