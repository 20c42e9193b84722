import { Box, Button, Group, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { useHost } from '../../api/host.ts';
import { useInstances } from '../../api/instances.ts';
import { isLocalAdmin, roleOn } from '../../api/roles.ts';
import type { Session } from '../../api/session.ts';
import { useSoftware, useSoftwareName } from '../../api/software.ts';
import type { Instance, Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { asRunning } from '../server/running-values.ts';
import { AttentionList } from './AttentionList.tsx';
import { arrange, GROUPINGS, type ServerGroup, SORTS, type State } from './arrange.ts';
import { BulkActions } from './BulkActions.tsx';
import { HostTiles } from './HostTiles.tsx';
import { ListControls } from './ListControls.tsx';
import { Onboarding } from './onboarding/Onboarding.tsx';
import { overviewText } from './overview-text.ts';
import { ServerCard } from './ServerCard.tsx';

/** More than most people have, and rendered at once. The others are rendered when these are shown. */
const FIRST_CARDS = 60;

/** From this many servers on, the list can be filtered, sorted, grouped and selected from. */
const MANY = 4;

/** The page that the panel opens on: all servers that the user may see. */
export function Overview({ session }: { session: Session }) {
  const t = useWords(overviewText);
  const instances = useInstances();
  const isAdmin = session.role === 'admin';
  const host = useHost({ enabled: isLocalAdmin(session) }).data;
  const newServer = (
    <Button component={Link} href="/new" leftSection={<IconPlus size={16} />}>
      {t('newServer')}
    </Button>
  );
  if (instances.data?.length === 0)
    return (
      <EmptyState picture="keep" title={t('emptyTitle')} action={isAdmin && newServer}>
        {isAdmin ? t('empty') : t('emptyViewer')}
      </EmptyState>
    );
  return (
    <Box className="page-width" py="md">
      <Group justify="space-between" mb="md">
        <Title order={1}>{t('title')}</Title>
        {isAdmin && newServer}
      </Group>
      {instances.isError && !instances.data && (
        <ProblemAlert error={instances.error} onRetry={() => void instances.refetch()} />
      )}
      {instances.isPending && (
        <Cards>
          {[1, 2, 3].map((key) => (
            <Skeleton key={key} h={132} />
          ))}
        </Cards>
      )}
      {instances.data && (
        <>
          <HostTiles instances={instances.data} host={host} />
          <AttentionList session={session} instances={instances.data} host={host} />
          <ServerList instances={instances.data} session={session} backups={host?.backups} />
          <Onboarding session={session} instances={instances.data} />
        </>
      )}
    </Box>
  );
}

interface ServerListProps {
  instances: readonly Instance[];
  session: Session;
  /** The newest good backup of each server that has one; absent if that is unknown. */
  backups: Schemas['HostState']['backups'];
}

function ServerList({ instances, session, backups }: ServerListProps) {
  const t = useWords(overviewText);
  const [search, setSearch] = useState('');
  const [order, setOrder] = useLocalStorage({
    key: 'gamekeeper.servers-order',
    defaultValue: parseOrder(undefined),
    getInitialValueInEffect: false,
    deserialize: parseOrder,
  });
  /** Ids; absent while nothing is being selected. */
  const [selection, setSelection] = useState<ReadonlySet<string>>();
  const isMany = instances.length >= MANY;
  const arrangement = { ...order, search: isMany ? search : '' };
  const groups = arrange(instances, arrangement);
  const shown = groups.flatMap(({ servers }) => servers);
  const mayAct = ({ id }: Instance) => roleOn(session, id) !== 'viewer';
  const toggle = useCallback((id: string) => {
    setSelection((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const kinds = useSoftware().data;
  const softwareName = useSoftwareName();
  const lastBackups = backups && new Map(backups.map(({ instanceId, createdAt }) => [instanceId, createdAt]));
  const mostCards = useDeferredValue(Number.POSITIVE_INFINITY, FIRST_CARDS);
  return (
    <>
      {isMany && (
        <ListControls
          arrangement={arrangement}
          onChange={({ search, sort, group }) => {
            setSearch(search);
            setOrder({ sort, group });
          }}
        >
          {instances.some(mayAct) && !selection && (
            <Button variant="default" onClick={() => setSelection(new Set())}>
              {t('select')}
            </Button>
          )}
        </ListControls>
      )}
      {selection && (
        <BulkActions
          selected={instances.filter((instance) => selection.has(instance.id) && mayAct(instance))}
          onSelectAll={() => setSelection(new Set(shown.filter(mayAct).map(({ id }) => id)))}
          onDone={() => setSelection(undefined)}
        />
      )}
      {shown.length === 0 && <Text c="dimmed">{t('nothing')}</Text>}
      {groups.map((group) => (
        <Group key={group.key} component="section" display="block" mb="lg">
          {order.group !== 'none' && <GroupTitle by={order.group} group={group} />}
          <Cards>
            {group.servers.slice(0, mostCards).map((instance) => (
              <ServerCard
                key={instance.id}
                instance={instance}
                session={session}
                software={softwareName(asRunning(instance))}
                hasProperties={kinds?.find(({ kind }) => kind === instance.software)?.properties === true}
                isDetailed={mostCards >= shown.length}
                lastBackup={lastBackups && (lastBackups.get(instance.id) ?? null)}
                {...(selection && mayAct(instance) ? { selected: selection.has(instance.id), onSelect: toggle } : {})}
              />
            ))}
          </Cards>
        </Group>
      ))}
    </>
  );
}

function GroupTitle({ by, group: { key, servers } }: { by: 'state' | 'software'; group: ServerGroup }) {
  const t = useWords(overviewText);
  const kinds = useSoftware().data;
  const software = kinds?.find(({ kind }) => kind === key)?.title ?? key;
  const state = key === 'running' ? 'live' : (key as Exclude<State, 'running'>);
  return (
    <Title order={2} size="h3" mb="xs">
      {by === 'state' ? t(state) : software} ({servers.length})
    </Title>
  );
}

function Cards({ children }: { children: React.ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="md">
      {children}
    </SimpleGrid>
  );
}

/** Tolerates anything in the browser's storage. */
function parseOrder(stored: string | undefined) {
  let order: unknown;
  try {
    order = JSON.parse(stored ?? '{}');
  } catch {
    order = {};
  }
  const { sort, group } = Object(order) as { sort?: unknown; group?: unknown };
  return {
    sort: SORTS.find((each) => each === sort) ?? 'name',
    group: GROUPINGS.find((each) => each === group) ?? 'none',
  };
}
