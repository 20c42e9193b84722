import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { type FileDifference, useDifferences } from '../../../../api/backup-files.ts';
import { useQuantities } from '../../../../text/quantities.ts';
import { useWords } from '../../../../text/section.ts';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { FileRow } from './FileRow.tsx';
import type { FilesViewProps } from './FolderList.tsx';
import { filesText } from './files-text.ts';

/** As many as a person reads; until there are so many, the next pages follow by themselves. */
const ENOUGH = 100;

const COLORS = { added: 'accent', removed: 'danger', changed: 'warning' };

/** What differs between a folder of the backup and today's. */
export function Differences({ at, onRestore }: FilesViewProps) {
  const t = useWords(filesText);
  const compared = useDifferences(at);
  const { hasNextPage, isFetching, isError, fetchNextPage } = compared;
  const differences = compared.data?.pages.flatMap((page) => page.differences) ?? [];
  const continues = hasNextPage && differences.length < ENOUGH && !isFetching && !isError;
  useEffect(() => {
    if (continues) void fetchNextPage();
  }, [continues, fetchNextPage]);
  const isOver = compared.data && !hasNextPage;
  return (
    <Stack gap="xs">
      {isError && <ProblemAlert error={compared.error} onRetry={() => void compared.refetch()} />}
      <Text c="dimmed" size="sm" role="status">
        {isFetching && t('comparing')}
        {!isFetching && !isError && differences.length === 0 && t(isOver ? 'same' : 'sameSoFar')}
      </Text>
      <Stack component="ul" m={0} p={0} gap={4} style={{ listStyle: 'none' }}>
        {differences.map((difference) => (
          <Difference
            key={difference.path}
            difference={difference}
            onRestore={difference.backup && (() => onRestore(difference.path))}
          />
        ))}
      </Stack>
      {hasNextPage && differences.length >= ENOUGH && (
        <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}

interface DifferenceProps {
  difference: FileDifference;
  onRestore: (() => void) | undefined;
}

function Difference({ difference, onRestore }: DifferenceProps) {
  const t = useWords(filesText);
  const { size } = useQuantities();
  const { path, change, backup, today } = difference;
  const sizes = [backup, today].flatMap((side) => (side?.kind === 'file' ? [size(side.sizeBytes)] : []));
  const isFolder = (today ?? backup)?.kind === 'folder';
  return (
    <FileRow name={path} onRestore={onRestore}>
      <Group gap="xs">
        <Badge variant="light" color={COLORS[change]} tt="none">
          {t(change)}
        </Badge>
        <Text size="sm">{isFolder ? `${path}/` : path}</Text>
        <Text size="xs" c="dimmed">
          {sizes.join(' → ')}
        </Text>
      </Group>
    </FileRow>
  );
}
