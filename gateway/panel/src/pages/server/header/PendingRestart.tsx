import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type LifecycleAction, useLifecycle } from '../../../api/instances.ts';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import { programText } from '../../../ui/form/program/program-text.ts';
import { PROPERTY_WORDS } from '../properties/words/property-words.ts';
import { settingsText } from '../settings/settings-text.ts';
import type { TabProps } from '../tab-props.ts';
import { disconnecting } from './DisconnectPlayers.tsx';
import { pendingText } from './pending-text.ts';

/** More would fill a phone. */
const MOST_NAMED = 5;

/** What waits for the next start of a running server, with the ways to restart it. */
export function PendingRestart({ instance, session, software }: TabProps) {
  const t = useWords(pendingText);
  const { language } = useLanguage();
  const nameOf = useSettingName(software);
  const lifecycle = useLifecycle();
  const { id, pendingRestart = [], restartWhenEmpty = false, playersOnline = 0 } = instance;
  const run = (action: LifecycleAction) => lifecycle.mutateAsync({ id, action });
  const names = pendingRestart.slice(0, MOST_NAMED).map(({ setting }) => nameOf(setting));
  const more = pendingRestart.length - names.length;
  const listed = [...names, ...(more > 0 ? [t('more', { count: more })] : [])];
  const settings = new Intl.ListFormat(language, { type: 'conjunction' }).format(listed);
  const busy = lifecycle.isPending;
  return (
    <Box className="page-width" pt="xs">
      <Alert
        color="accent"
        variant="light"
        p="xs"
        role="status"
        data-testid="pending-restart"
        // The buttons are at the end of the page.
        styles={{ message: { maxWidth: 'none' } }}
      >
        <Group gap="xs" justify="space-between">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <IconRefresh size={18} aria-hidden style={{ flexShrink: 0 }} />
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {[names.length > 0 && t('needed', { settings }), restartWhenEmpty && t('waits')]
                .filter(Boolean)
                .join(' ')}
            </Text>
          </Group>
          {session.role !== 'viewer' && (
            <Group gap="xs">
              {(restartWhenEmpty || playersOnline > 0) && (
                <Button
                  variant="default"
                  size="xs"
                  disabled={busy}
                  onClick={() => run(restartWhenEmpty ? 'cancel-restart' : 'restart-when-empty').catch(notifyProblem)}
                >
                  {t(restartWhenEmpty ? 'cancel' : 'whenEmpty')}
                </Button>
              )}
              <Button
                size="xs"
                disabled={busy}
                onClick={() =>
                  disconnecting(instance, 'restart', { run: () => run('restart'), onError: notifyProblem })
                }
              >
                {t('now')}
              </Button>
            </Group>
          )}
        </Group>
      </Alert>
    </Box>
  );
}

/** Returns the label of a setting's field. A setting without one keeps its name in the API. */
function useSettingName(software: TabProps['software']): (setting: string) => string {
  const t = useWords(pendingText);
  const s = useWords(settingsText);
  const p = useWords(programText);
  const { language } = useLanguage();
  const known: Readonly<Record<string, string>> = {
    port: s('port'),
    memoryMb: s('memory'),
    version: s('version'),
    javaVersion: s('java'),
    maxPlayers: s('maxPlayers'),
    runAs: s('runAs'),
    launch: p('command'),
    env: p('env'),
    transport: t('transport'),
    'rcon.port': t('port', { name: 'RCON' }),
  };
  return (setting) => {
    const [kind, name] = split(setting);
    if (kind === 'properties') return PROPERTY_WORDS[name]?.[language][0] ?? name;
    if (kind === 'variables') return software?.variables.find((variable) => variable.name === name)?.title ?? name;
    return known[setting] ?? (kind === 'ports' ? t('port', { name }) : setting);
  };
}

/** Splits at the first dot: names of properties have dots of their own. */
function split(setting: string): [kind: string, name: string] {
  const dot = setting.indexOf('.');
  return [setting.slice(0, dot), setting.slice(dot + 1)];
}
