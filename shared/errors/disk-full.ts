/** sqlite.org/rescode.html#full */
const SQLITE_FULL = 13;

/** True for what a disk without room says, or a quota, or SQLite on one of them. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  if (error.code === 'ERR_SQLITE_ERROR') return 'errcode' in error && error.errcode === SQLITE_FULL;
  return error.code === 'ENOSPC' || error.code === 'EDQUOT';
}
