import { Badge, Button, Code, Group, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type InstalledMod, type ModWish, modsQuery } from '../../../api/mods.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { modsText } from './mods-text.ts';

export interface InstalledModsProps {
  instanceId: string;
  mayChange: boolean;
  onWish: (wish: ModWish) => void;
}

/** Every jar in the folder, whoever put it there. */
export function InstalledMods({ instanceId, mayChange, onWish }: InstalledModsProps) {
  const t = useWords(modsText);
  const query = useQuery(modsQuery(instanceId));
  const mods = query.data?.mods ?? [];
  const fromModrinth = mods.some(({ projectId }) => projectId !== undefined);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{t('installed')}</Title>
        {mayChange && fromModrinth && (
          <Button variant="default" onClick={() => onWish({ type: 'update', title: t('all') })}>
            {t('updateAll')}
          </Button>
        )}
      </Group>
      {query.isPending && <Skeleton h={120} />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && mods.length === 0 && (
        <Text c="dimmed">
          {t('none')} <Code>{`${query.data.folder}/`}</Code>
        </Text>
      )}
      {mods.length > 0 && (
        <Paper>
          <Table.ScrollContainer minWidth={520}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('name')}</Table.Th>
                  <Table.Th>{t('version')}</Table.Th>
                  <Table.Th>{t('size')}</Table.Th>
                  <Table.Th aria-label={t('actions')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {mods.map((mod) => (
                  <ModRow key={mod.file} mod={mod} mayChange={mayChange} onWish={onWish} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </Stack>
  );
}

function ModRow({ mod, mayChange, onWish }: { mod: InstalledMod } & Pick<InstalledModsProps, 'mayChange' | 'onWish'>) {
  const t = useWords(modsText);
  const { size } = useQuantities();
  const { name, file, version, sizeBytes, enabled, fits, waiting, projectId } = mod;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text size="sm">{name}</Text>
          {!enabled && <Badge color="gray">{t('disabled')}</Badge>}
          {fits === false && <Badge color="yellow">{t('unfit')}</Badge>}
          {waiting && <Badge color="blue">{t(`waiting-${waiting}`)}</Badge>}
        </Group>
        {name !== file && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {file}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{version}</Table.Td>
      <Table.Td>{size(sizeBytes)}</Table.Td>
      <Table.Td>
        {mayChange && (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            {projectId !== undefined && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('updateOne', { name })}
                onClick={() => onWish({ type: 'update', project: projectId, title: name })}
              >
                {t('update')}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={t('removeTitle', { name })}
              onClick={() => onWish({ type: 'remove', file, title: name })}
            >
              {t('remove')}
            </Button>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
