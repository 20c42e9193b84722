import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useLifecycle, useUpdateInstance } from '../../../api/instances.ts';
import { propertiesQuery, useChangeProperties } from '../../../api/properties.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useLanguage } from '../../../text/language.ts';
import { section, useWords } from '../../../text/section.ts';
import { problemText } from '../../../ui/feedback/problems/problems.ts';
import { MINECRAFT_EULA } from '../../../ui/games/minecraft-eula.ts';
import type { TabProps } from '../tab-props.ts';
import { notifyFailedStart } from './notify-failed-start.ts';
import { startFixOf } from './start-fix.ts';

const text = section({
  en: {
    usePort: 'Use port {port} and start',
    acceptEula: 'Accept the EULA and start',
    eulaLink: 'Read the EULA',
    settings: 'Open settings',
    again: 'Try again',
  },
  de: {
    usePort: 'Port {port} verwenden und starten',
    acceptEula: 'EULA akzeptieren und starten',
    eulaLink: 'EULA lesen',
    settings: 'Einstellungen öffnen',
    again: 'Noch einmal versuchen',
  },
  zh: {
    usePort: '改用端口 {port} 并启动',
    acceptEula: '接受 EULA 并启动',
    eulaLink: '阅读 EULA',
    settings: '打开设置',
    again: '重试',
  },
});

/** Why the last start of a server failed, with the button that fixes it. */
export function FailedStart({ instance, session }: Pick<TabProps, 'instance' | 'session'>) {
  const t = useWords(text);
  const { language } = useLanguage();
  const { id, crash } = instance;
  const { code = '', portChange } = crash?.failedStart ?? {};
  const fix = startFixOf(instance, session.role);
  const changing = useStartAfter(instance);
  const translated = problemText(code, language);
  return (
    <>
      {translated && <Text size="sm">{translated.about}</Text>}
      <Text size="sm" lang="en" style={{ overflowWrap: 'anywhere' }}>
        {crash?.reason}
      </Text>
      <Group gap="sm" mt={fix ? 'xs' : 0}>
        {fix === 'settings' && (
          <Button component={Link} href={`/servers/${id}/settings`} size="compact-sm" variant="default">
            {t('settings')}
          </Button>
        )}
        {fix && fix !== 'settings' && (
          <Button size="compact-sm" variant="default" loading={changing.isPending} onClick={() => changing.mutate(fix)}>
            {t(fix, { port: portChange?.port ?? '' })}
          </Button>
        )}
        {fix === 'acceptEula' && (
          <Anchor href={MINECRAFT_EULA} target="_blank" rel="noreferrer noopener" size="sm" td="underline">
            {t('eulaLink')}
          </Anchor>
        )}
      </Group>
    </>
  );
}

/** Makes the change that lets the server start, and starts it. */
function useStartAfter({ id, crash }: TabProps['instance']) {
  const queries = useQueryClient();
  const update = useUpdateInstance(id);
  const properties = useChangeProperties(id);
  const lifecycle = useLifecycle();

  const changePort = async ({ setting, key, port }: Schemas['PortChange']) => {
    if (setting === 'port') await update.mutateAsync({ port });
    if (setting === 'ports') await update.mutateAsync({ ports: { [key]: port } });
    if (setting !== 'properties') return;
    const { etag } = await queries.fetchQuery({ ...propertiesQuery(id), staleTime: 0 });
    await properties.mutateAsync({ properties: { [key]: String(port) }, etag });
  };

  return useMutation({
    mutationFn: async (fix: 'usePort' | 'acceptEula' | 'again') => {
      const change = crash?.failedStart?.portChange;
      if (fix === 'usePort' && change) await changePort(change);
      if (fix === 'acceptEula') await update.mutateAsync({ acceptEula: true });
      await lifecycle.mutateAsync({ id, action: 'start' });
    },
    onError: (error) => notifyFailedStart(error, { id, ...(crash && { crash }) }),
  });
}
