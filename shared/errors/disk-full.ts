/** sqlite.org/rescode.html#full */
const SQLITE_FULL = 13;

/** Returns true for errors of a full disk or an exceeded quota, also from SQLite. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  if (error.code === 'ERR_SQLITE_ERROR') return 'errcode' in error && error.errcode === SQLITE_FULL;
  return error.code === 'ENOSPC' || error.code === 'EDQUOT';
}
