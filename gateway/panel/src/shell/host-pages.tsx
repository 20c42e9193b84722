import {
  IconClipboardList,
  IconCoffee,
  IconDatabase,
  IconDeviceGamepad2,
  IconInfoCircle,
  IconKey,
  IconLink,
  IconUser,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Session } from '../api/session.ts';
import type { shellText } from './shell-text.ts';

export interface HostPageEntry {
  path: string;
  label: keyof typeof shellText.en;
  icon: ReactNode;
  /** The lowest role that can open it. */
  role: 'admin' | 'viewer';
  /** Also there through the hosted proxy, where nobody is a user of this machine. */
  isRemote?: true;
}

const HOST_PAGES: readonly HostPageEntry[] = [
  { path: '/host/users', label: 'users', icon: <IconUsers size={18} />, role: 'admin' },
  { path: '/host/tokens', label: 'tokens', icon: <IconKey size={18} />, role: 'admin' },
  { path: '/host/account', label: 'account', icon: <IconUser size={18} />, role: 'viewer' },
  { path: '/host/storage', label: 'storage', icon: <IconDatabase size={18} />, role: 'admin' },
  { path: '/host/remote', label: 'remote', icon: <IconWorld size={18} />, role: 'admin' },
  { path: '/host/link', label: 'link', icon: <IconLink size={18} />, role: 'admin' },
  { path: '/host/games', label: 'games', icon: <IconDeviceGamepad2 size={18} />, role: 'viewer', isRemote: true },
  { path: '/host/java', label: 'java', icon: <IconCoffee size={18} />, role: 'viewer', isRemote: true },
  { path: '/host/audit', label: 'audit', icon: <IconClipboardList size={18} />, role: 'admin' },
  { path: '/host/about', label: 'about', icon: <IconInfoCircle size={18} />, role: 'viewer', isRemote: true },
];

/** Returns the pages that the user may open, in order. */
export function hostPagesFor({ role, proxy }: Session): readonly HostPageEntry[] {
  const pages = proxy === undefined ? HOST_PAGES : HOST_PAGES.filter(({ isRemote }) => isRemote);
  return pages.filter((page) => page.role !== 'admin' || role === 'admin');
}
