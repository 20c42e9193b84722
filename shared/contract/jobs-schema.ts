/**
 * How many steps the tables of the jobs process have. They are in the daemon's file, and said here, since the daemon tells what a version
 * can use; the compiler sees to it that there are as many.
 */
export const JOBS_SCHEMA = 4;
