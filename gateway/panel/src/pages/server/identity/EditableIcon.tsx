import { UnstyledButton } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { filesOn } from '../../../api/roles.ts';
import { useWords } from '../../../text/section.ts';
import { lazyPart } from '../../../ui/feedback/lazy-part.ts';
import type { TabProps } from '../tab-props.ts';
import { iconText } from './icon-text.ts';
import { ServerIcon } from './ServerIcon.tsx';

const IconDialog = lazyPart(async () => (await import('./IconDialog.tsx')).IconDialog);

/** The icon of a server; a button that changes it, for those who may. */
export function EditableIcon({ instance, session, software, size }: TabProps & { size: number }) {
  const t = useWords(iconText);
  const [isOpen, setIsOpen] = useState(false);
  const icon = <ServerIcon instance={instance} session={session} size={size} />;
  if (filesOn(session, instance.id) !== 'write' || !showsIcon(software)) return icon;
  return (
    <>
      <UnstyledButton
        className="editable-icon"
        aria-label={t('change')}
        title={t('change')}
        onClick={() => setIsOpen(true)}
      >
        {icon}
        <span className="editable-icon-mark" aria-hidden="true">
          <IconPencil size={12} />
        </span>
      </UnstyledButton>
      {isOpen && (
        <Suspense fallback={null}>
          <IconDialog instance={instance} session={session} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Minecraft: Java Edition, and proxies for it. */
function showsIcon(software: TabProps['software']): boolean {
  return software?.edition === 'java' && (software.properties || software.mods !== undefined);
}
