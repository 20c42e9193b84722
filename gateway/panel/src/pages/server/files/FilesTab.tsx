import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { filesOn } from '../../../api/roles.ts';
import type { TabProps } from '../tab-props.ts';
import { FileEditor } from './editor/FileEditor.tsx';
import { FolderView } from './FolderView.tsx';
import { folderOf, nameOf } from './file-path.ts';

/** The files of a server. The address names the folder, and the file that is open, so that Back works. */
export function FilesTab({ instance, session }: TabProps) {
  const query = new URLSearchParams(useSearch());
  const [here, navigate] = useLocation();
  const [focused, setFocused] = useState<string>();
  const path = query.get('path') ?? '';
  const open = query.get('open');
  const go = (to: Record<string, string>) => navigate(`${here}?${new URLSearchParams(to)}`);
  const mayWrite = filesOn(session, instance.id) === 'write';
  if (open !== null)
    return (
      <FileEditor
        key={open}
        at={{ instanceId: instance.id, path: open }}
        mayWrite={mayWrite}
        onClose={() => go({ path: folderOf(open) })}
      />
    );
  return (
    <FolderView
      key={path}
      at={{ instanceId: instance.id, path }}
      mayWrite={mayWrite}
      focused={focused}
      onFolder={(next) => {
        // On the way up, the folder that one comes from.
        setFocused(folderOf(path) === next && path !== '' ? nameOf(path) : undefined);
        go({ path: next });
      }}
      onFile={(file) => {
        setFocused(nameOf(file));
        go({ open: file });
      }}
    />
  );
}
