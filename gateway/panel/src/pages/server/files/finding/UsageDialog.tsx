import { Anchor, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type FilePlace, useFolderUsage } from '../../../../api/files.ts';
import { useQuantities } from '../../../../text/quantities.ts';
import { useWords } from '../../../../text/section.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import { FolderWay } from '../../../../ui/display/FolderWay.tsx';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { useIsPhone } from '../../../../ui/use-is-phone.ts';
import { pathIn } from '../file-path.ts';
import { findingText } from './finding-text.ts';

/** What fills a folder, the largest first. A folder in it can be looked into. */
export function UsageDialog({ at, onClose }: { at: FilePlace; onClose: () => void }) {
  const t = useWords(findingText);
  const { size } = useQuantities();
  const isPhone = useIsPhone();
  const [path, setPath] = useState(at.path);
  const usage = useFolderUsage({ ...at, path });
  const { data } = usage;
  return (
    <Dialog opened onClose={onClose} size="lg" fullScreen={isPhone} title={t('usageTitle')}>
      <Stack>
        <FolderWay path={path} top={t('top')} label={t('way')} onOpen={setPath} />
        {usage.isPending && <Skeleton h={120} />}
        {usage.isError && <ProblemAlert error={usage.error} onRetry={() => void usage.refetch()} />}
        {data && <Text role="status">{t('total', { size: size(data.sizeBytes), count: data.files })}</Text>}
        <Stack component="ul" m={0} p={0} gap="xs" style={{ listStyle: 'none' }}>
          {data?.entries.map(({ name, kind, sizeBytes }) => {
            const percent = data.sizeBytes === 0 ? 0 : (sizeBytes / data.sizeBytes) * 100;
            return (
              <li key={name}>
                <Group justify="space-between" wrap="nowrap">
                  {kind === 'folder' ? (
                    <Anchor
                      component="button"
                      size="sm"
                      ta="left"
                      aria-label={t('open', { name })}
                      style={{ overflowWrap: 'anywhere' }}
                      onClick={() => setPath(pathIn(path, name))}
                    >
                      {name}
                    </Anchor>
                  ) : (
                    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {name}
                    </Text>
                  )}
                  <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                    {size(sizeBytes)}
                  </Text>
                </Group>
                <Progress value={percent} size="sm" aria-label={t('share', { percent: Math.round(percent) })} />
              </li>
            );
          })}
        </Stack>
        {data?.keptBytes !== undefined && data.keptBytes > 0 && (
          <Text size="sm" c="dimmed">
            {t('kept', { size: size(data.keptBytes) })}
          </Text>
        )}
        {data?.stoppedBy && (
          <Text size="sm" c="dimmed">
            {t('partial')}
          </Text>
        )}
      </Stack>
    </Dialog>
  );
}
