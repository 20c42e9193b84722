import { Alert, Box, Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPhoto, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useFileChange } from '../../../api/files.ts';
import { ICON_FILE, serverIconQuery, useIconSave } from '../../../api/server-icon.ts';
import type { Session } from '../../../api/session.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { notifyDone, notifyProblem, notifyUndoable } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { useDrop } from '../../../ui/use-drop.ts';
import { IconCrop } from './IconCrop.tsx';
import { type ChosenImage, type ImageFault, openImage, toPng } from './icon-image.ts';
import { iconText } from './icon-text.ts';
import { ServerIcon } from './ServerIcon.tsx';

export interface IconDialogProps {
  instance: Instance;
  session: Session;
  onClose: () => void;
}

/** Changes or removes the icon of a server. */
export function IconDialog({ instance, session, onClose }: IconDialogProps) {
  const t = useWords(iconText);
  const stored = useQuery(serverIconQuery(instance.id));
  const save = useIconSave(instance.id);
  const change = useFileChange(instance.id);
  const [image, setImage] = useState<ChosenImage>();
  const [fault, setFault] = useState<{ fault: ImageFault; name: string }>();
  const [isDrawn, setIsDrawn] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => image?.close, [image]);

  const choose = async (file: File | null | undefined) => {
    if (!file) return;
    const opened = await openImage(file);
    const isImage = typeof opened !== 'string';
    setFault(isImage ? undefined : { fault: opened, name: file.name });
    if (!isImage) return;
    setIsDrawn(false);
    setImage(opened);
  };
  const { isOver, handlers } = useDrop(({ files }) => void choose(files[0]));
  const confirm = async () => {
    if (!canvas.current) return;
    const png = await toPng(canvas.current);
    save.mutate(
      { png, seen: stored.data ?? null },
      {
        onSuccess: () => {
          notifyDone(t('saved'));
          onClose();
        },
      },
    );
  };
  const remove = async () => {
    const trashId = await change.mutateAsync({ kind: 'delete', path: ICON_FILE });
    onClose();
    if (trashId === undefined) return;
    notifyUndoable(t('removed'), () => void change.mutateAsync({ kind: 'restore', trashId }).catch(notifyProblem));
  };

  return (
    <Dialog opened keepTyped={image !== undefined} onClose={onClose} title={t('title', { name: instance.name })}>
      <Stack {...handlers}>
        <Paper
          p="md"
          style={{ borderStyle: 'dashed', ...(isOver && { borderColor: 'var(--mantine-primary-color-filled)' }) }}
        >
          <Group wrap="nowrap">
            {!image && <ServerIcon instance={instance} session={session} size={64} />}
            <Choice isOther={image !== undefined} onChoose={(file) => void choose(file)} />
          </Group>
        </Paper>
        {fault && (
          <Alert color="danger" variant="light" role="alert">
            {t(fault.fault, { name: fault.name })}
          </Alert>
        )}
        {image && <IconCrop key={image.url} image={image} canvas={canvas} onDrawn={() => setIsDrawn(true)} />}
        <Text size="sm" c="dimmed">
          {t('hint')}
        </Text>
        {save.isError && <ProblemAlert error={save.error} />}
        {stored.isError && <ProblemAlert error={stored.error} onRetry={() => void stored.refetch()} />}
        <Group justify="flex-end">
          {stored.data && !image && (
            <Button
              variant="default"
              mr="auto"
              leftSection={<IconTrash size={16} aria-hidden />}
              loading={change.isPending}
              onClick={() => void remove().catch(notifyProblem)}
            >
              {t('remove')}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          {image && (
            <Button
              loading={save.isPending}
              disabled={!isDrawn || stored.isPending}
              onClick={() => void confirm().catch(notifyProblem)}
            >
              {t('save')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

interface ChoiceProps {
  /** An image has been chosen already. */
  isOther: boolean;
  onChoose: (file: File | null) => void;
}

function Choice({ isOther, onChoose }: ChoiceProps) {
  const t = useWords(iconText);
  return (
    <Box>
      <FileButton accept="image/png,image/jpeg,image/webp,image/gif" onChange={onChoose}>
        {(props) => (
          <Button
            {...props}
            variant={isOther ? 'default' : 'filled'}
            leftSection={<IconPhoto size={16} aria-hidden />}
            data-autofocus
          >
            {t(isOther ? 'chooseOther' : 'choose')}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed" mt={4}>
        {t('drop')}
      </Text>
    </Box>
  );
}
