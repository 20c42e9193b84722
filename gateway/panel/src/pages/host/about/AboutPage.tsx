import { Anchor, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useHealth } from '../../../api/health.ts';
import { section, useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';

const text = section({
  en: {
    title: 'About',
    version: 'Version',
    platform: 'Platform',
    running: 'Running servers',
    docs: 'All operations of the API',
    errors: 'All errors and what to do',
    openapi: 'OpenAPI document',
    metrics: 'Stats for Prometheus',
    words: 'Gamekeeper runs game servers for people and answers to programs.',
  },
  de: {
    title: 'Über Gamekeeper',
    version: 'Version',
    platform: 'Plattform',
    running: 'Laufende Server',
    docs: 'Alle Operationen der API',
    errors: 'Alle Fehler und was zu tun ist',
    openapi: 'OpenAPI-Dokument',
    metrics: 'Werte für Prometheus',
    words: 'Gamekeeper betreibt Spieleserver für Menschen und antwortet Programmen.',
  },
  zh: {
    title: '关于',
    version: '版本',
    platform: '平台',
    running: '运行中的服务器',
    docs: 'API 的所有操作',
    errors: '所有错误及处理办法',
    openapi: 'OpenAPI 文档',
    metrics: 'Prometheus 指标',
    words: 'Gamekeeper 为您运行游戏服务器，也为程序提供接口。',
  },
});

/** Which Gamekeeper this is, and where programs find it. */
export function AboutPage() {
  const t = useWords(text);
  const health = useHealth();
  const links = [
    ['/docs', t('docs')],
    ['/docs/errors', t('errors')],
    ['/openapi.json', t('openapi')],
    ['/metrics', t('metrics')],
  ] as const;
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      <Text>{t('words')}</Text>
      {health.isError && <ProblemAlert error={health.error} onRetry={() => void health.refetch()} />}
      {health.data && (
        <Paper p="md">
          <Table variant="vertical" layout="fixed" withRowBorders={false}>
            <Table.Tbody>
              <Table.Tr>
                <Table.Th w={200}>{t('version')}</Table.Th>
                <Table.Td>{health.data.version}</Table.Td>
              </Table.Tr>
              <Table.Tr>
                <Table.Th>{t('platform')}</Table.Th>
                <Table.Td>{health.data.platform}</Table.Td>
              </Table.Tr>
              <Table.Tr>
                <Table.Th>{t('running')}</Table.Th>
                <Table.Td>{health.data.activeInstances}</Table.Td>
              </Table.Tr>
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {links.map(([href, label]) => (
          <li key={href}>
            <Anchor href={href} target="_blank" rel="noreferrer">
              {label}
            </Anchor>
          </li>
        ))}
      </Stack>
    </Stack>
  );
}
