/** SFTP version 3 (draft-ietf-secsh-filexfer-02), which OpenSSH and all clients speak. */
export const VERSION = 3;

export const TYPE = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  readlink: 19,
  symlink: 20,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
  extended: 200,
  extendedReply: 201,
} as const;

export const STATUS = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  unsupported: 8,
} as const;
export type Status = (typeof STATUS)[keyof typeof STATUS];

export const OPEN_FLAG = { read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 } as const;

export const ATTRIBUTE = { size: 1, owner: 2, permissions: 4, times: 8, extended: 0x8000_0000 } as const;

/** The largest packet, as in OpenSSH. Its clients ask for it (`limits@openssh.com`) and then send large pieces. */
export const MOST_PACKET_BYTES = 256 * 1024;
/** The most that one request writes: the rest of the packet is for the other fields. */
export const MOST_WRITTEN_BYTES = MOST_PACKET_BYTES - 1_024;
/** The most that one request reads: half a block of read-ahead.ts, so that few answers need two of them. */
export const MOST_READ_BYTES = 128 * 1024;
