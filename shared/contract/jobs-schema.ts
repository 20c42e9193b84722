/**
 * Number of migration steps of the tables of the jobs process. The daemon needs it to tell whether a version can use a database. The
 * compiler checks that it matches the list of steps.
 */
export const JOBS_SCHEMA = 4;
