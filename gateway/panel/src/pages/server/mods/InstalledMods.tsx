import { Badge, Button, Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type InstalledMod, type ModChange, modsQuery } from '../../../api/mods.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { modsText } from './mods-text.ts';

export interface InstalledModsProps {
  instanceId: string;
  mayChange: boolean;
  onChange: (change: ModChange) => void;
}

/** All JAR files in the server's folder, including those that the user put there. */
export function InstalledMods({ instanceId, mayChange, onChange }: InstalledModsProps) {
  const t = useWords(modsText);
  const query = useQuery(modsQuery(instanceId));
  const mods = query.data?.mods ?? [];
  const fromModrinth = mods.some(({ projectId }) => projectId !== undefined);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{t('installed')}</Title>
        {mayChange && fromModrinth && (
          <Button variant="default" onClick={() => onChange({ type: 'update', title: t('all') })}>
            {t('updateAll')}
          </Button>
        )}
      </Group>
      {query.isPending && <Skeleton h={120} />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && mods.length === 0 && (
        <EmptyState picture="box" title={t('none')} order={3} brief>
          {t('noneHint')} <Code>{`${query.data.folder}/`}</Code>
        </EmptyState>
      )}
      <Stack component="ul" m={0} p={0} gap="xs" style={{ listStyle: 'none' }}>
        {mods.map((mod) => (
          <ModRow key={mod.file} mod={mod} mayChange={mayChange} onChange={onChange} />
        ))}
      </Stack>
    </Stack>
  );
}

type ModRowProps = { mod: InstalledMod } & Pick<InstalledModsProps, 'mayChange' | 'onChange'>;

function ModRow({ mod, mayChange, onChange }: ModRowProps) {
  const t = useWords(modsText);
  const { size } = useQuantities();
  const { name, file, version, sizeBytes, enabled, fits, waiting, projectId } = mod;
  return (
    <Paper p="sm" component="li">
      <Group justify="space-between">
        <Stack gap={2} flex={1} miw={200}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="sm">{version}</Text>
            {!enabled && <Mark color="gray">{t('disabled')}</Mark>}
            {fits === false && <Mark color="warning">{t('unfit')}</Mark>}
            {waiting && <Mark color="accent">{t(`waiting-${waiting}`)}</Mark>}
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {file} · {size(sizeBytes)}
          </Text>
        </Stack>
        {mayChange && (
          <Group gap={4} wrap="nowrap">
            {projectId !== undefined && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('updateOne', { name })}
                onClick={() => onChange({ type: 'update', project: projectId, title: name })}
              >
                {t('update')}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              color="danger"
              aria-label={t('removeTitle', { name })}
              onClick={() => onChange({ type: 'remove', file, title: name })}
            >
              {t('remove')}
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}

function Mark({ color, children }: { color: string; children: string }) {
  return (
    <Badge variant="light" color={color} tt="none">
      {children}
    </Badge>
  );
}
