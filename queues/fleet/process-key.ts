// Names by which processes are known in Redis.

/** A set of all processes that may live. */
export const processesKey = 'fl:{processes}'

/** Stands while the process lives, with what it is: `ProcessFacts` as JSON. */
export const toProcessKey = (process: string): string => `fl:{process-${process}}`

/** The process that an owner names; undefined for one of an older release. */
export const toProcess = (owner: string): string | undefined => /^@([^/]+)\//.exec(owner)?.[1]
