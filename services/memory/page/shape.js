// What the routes of the page answer, checked before it is drawn.

/**
 * @typedef {{
 *   label: string, id: string, kind: string, text: string, saidAt: number, isConfirmed: boolean, isPinned: boolean, isOld: boolean,
 *   by?: string, uses: number, lastUsedAt?: number, from: string[],
 * }} ShownRecord
 * @typedef {{ records: ShownRecord[], total: number, isPart: boolean }} Seen
 * @typedef {{ kind: 'kept' | 'changed' | 'forgotten', record?: ShownRecord }} Done
 */

/** @param {unknown} value @returns {value is Seen} */
export const isSeen = (value) =>
  value instanceof Object && 'records' in value && Array.isArray(value.records) && value.records.every(isRecord)

/** @param {unknown} value @returns {value is Done} */
export const isDone = (value) =>
  value instanceof Object &&
  'kind' in value &&
  (value.kind === 'forgotten' || ('record' in value && isRecord(value.record)))

/** @param {unknown} value @returns {value is ShownRecord} */
const isRecord = (value) =>
  value instanceof Object && 'label' in value && 'text' in value && typeof value.text === 'string' && 'from' in value
