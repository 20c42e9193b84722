import { Badge, List, Stack, Table, Text } from '@mantine/core';
import { useSoftware } from '../../api/software.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { newServerText } from './new-server-text.ts';

type Recognition = Schemas['Recognition'];
type Finding = NonNullable<
  Recognition[
    | 'software'
    | 'version'
    | 'build'
    | 'program'
    | 'launch'
    | 'port'
    | 'rconPort'
    | 'memoryMb'
    | 'javaVersion'
    | 'worlds']
>;

const COLORS: Readonly<Record<Finding['sure'], string>> = { certain: 'good', likely: 'gray', guess: 'warning' };

/** The settings found in a folder or a ZIP, each with the file it comes from and how certain it is. */
export function Findings({ found }: { found: Recognition }) {
  const t = useWords(newServerText);
  const { memory } = useQuantities();
  const software = useSoftware().data;
  const titleOf = (kind: string) => software?.find((each) => each.kind === kind)?.title ?? kind;
  const findings = [
    [t('kind'), found.software && { ...found.software, value: titleOf(found.software.value) }],
    [t('version'), found.version],
    [t('build'), found.build],
    [t('program'), found.program],
    [t('launch'), found.launch && { ...found.launch, value: found.launch.value.join(' ') }],
    [t('port'), found.port],
    [t('rconPort'), found.rconPort],
    [t('memory'), found.memoryMb && { ...found.memoryMb, value: memory(found.memoryMb.value) }],
    [t('javaVersion'), found.javaVersion],
    [t('worlds'), found.worlds && { ...found.worlds, value: found.worlds.value.join(', ') }],
  ] as const;
  return (
    <Stack gap="xs">
      <Table aria-label={t('found')} verticalSpacing={4}>
        <Table.Tbody>
          {findings.map(
            ([label, finding]) =>
              finding && (
                <Table.Tr key={label}>
                  <Table.Th scope="row">{label}</Table.Th>
                  <Table.Td>
                    {finding.value}
                    <Text size="xs" c="dimmed">
                      {finding.from}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="light" color={COLORS[finding.sure]} tt="none" miw="max-content">
                      {t(finding.sure)}
                    </Badge>
                  </Table.Td>
                </Table.Tr>
              ),
          )}
        </Table.Tbody>
      </Table>
      {found.notes.length > 0 && (
        <List size="sm">
          {found.notes.map((note) => (
            <List.Item key={note}>
              <Text size="sm">{note}</Text>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
