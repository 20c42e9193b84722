import { Badge, Group, Radio, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useSoftware } from '../../api/software.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { KindIcon } from '../../ui/games/KindIcon.tsx';
import { useKindLine } from '../../ui/games/kind-text.ts';
import { newServerText } from './new-server-text.ts';

/** Runs well on small computers, and friends join with the game as it is. */
const RECOMMENDED = 'paper';

export function SoftwareChoice({ value, onChange }: { value: string; onChange: (kind: string) => void }) {
  const t = useWords(newServerText);
  const software = useSoftware();
  const lineOf = useKindLine();
  if (software.isError && !software.data)
    return <ProblemAlert error={software.error} onRetry={() => void software.refetch()} />;
  return (
    <Radio.Group label={t('software')} value={value} onChange={onChange} required>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" mt={6}>
        {software.isPending && [1, 2, 3].map((key) => <Skeleton key={key} h={64} />)}
        {software.data?.map((each) => (
          <Radio.Card key={each.kind} value={each.kind} p="sm" withBorder className="choice">
            <Group component="span" justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
              <KindIcon software={each} size={32} />
              <span className="choice-words">
                <Text size="sm" fw={600} component="span" display="block">
                  {each.title}
                </Text>
                <Text size="xs" c="dimmed" component="span" display="block">
                  {lineOf(each)}
                </Text>
                {each.kind === RECOMMENDED && (
                  <Badge component="span" variant="light" color="good" size="sm" tt="none" mt={4}>
                    {t('recommended')}
                  </Badge>
                )}
              </span>
              <Radio.Indicator />
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}
