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
    docs: 'API reference',
    errors: 'Errors and how to fix them',
    openapi: 'OpenAPI document',
    metrics: 'Prometheus metrics',
    words: 'Gamekeeper runs game servers and lets people and programs control them.',
  },
  de: {
    title: 'Über Gamekeeper',
    version: 'Version',
    platform: 'Plattform',
    running: 'Laufende Server',
    docs: 'API-Referenz',
    errors: 'Fehler und wie Sie sie beheben',
    openapi: 'OpenAPI-Dokument',
    metrics: 'Prometheus-Metriken',
    words: 'Gamekeeper betreibt Spieleserver, die sich im Browser und per API steuern lassen.',
  },
  zh: {
    title: '关于',
    version: '版本',
    platform: '平台',
    running: '运行中的服务器',
    docs: 'API 参考',
    errors: '错误及解决办法',
    openapi: 'OpenAPI 文档',
    metrics: 'Prometheus 指标',
    words: 'Gamekeeper 运行游戏服务器，您可以通过浏览器或 API 管理它们。',
  },
});

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
        <Paper style={{ overflow: 'hidden' }}>
          <Table variant="vertical" layout="fixed" verticalSpacing="xs">
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
