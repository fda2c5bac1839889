// What the parts of the set-up hand on: the problems found so far, and how to say one line of progress.

/** @typedef {{ readonly problems: string[], readonly say: (line: string) => void }} Report */

/**
 * @param {(line: string) => void} say
 * @returns {Report}
 */
export function createReport(say) {
  return { problems: [], say }
}
