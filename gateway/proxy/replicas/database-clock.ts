import { type RawBuilder, sql } from 'kysely';

/** Seconds since 1970 by PostgreSQL's clock, so that the clocks of the replicas do not matter. */
export const databaseSeconds: RawBuilder<number> = sql<number>`CAST(EXTRACT(EPOCH FROM now()) AS BIGINT)`;
