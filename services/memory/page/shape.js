// What the routes of the page answer, checked before it is drawn.

/**
 * @typedef {{
 *   label: string, id: string, kind: string, text: string, saidAt: number, isConfirmed: boolean, isPinned: boolean, isForGroups: boolean, isOld: boolean,
 *   by?: string, uses: number, lastUsedAt?: number, from: { channel: string, href?: string }[],
 *   anchor?: { topic: string, tags: string[], context?: string, why?: string, until?: string },
 * }} ShownRecord
 * @typedef {{ records: ShownRecord[], total: number, hasMore: boolean }} Seen
 * @typedef {{ id: string, says: string, isConfirmed: boolean, saidAt: number }} Said
 * @typedef {{ key: string, name: string, type: string, isSelf: boolean, x: number, y: number, facts: Said[] }} DrawnNode
 * @typedef {{ nodes: DrawnNode[], edges: (Said & { from: string, to: string })[], isPart: boolean }} Graph
 * @typedef {{ people: number, ofPeople: number, chats: number, ofChats: number, forAll: number }} Counts
 * @typedef {{ kind: 'kept' | 'changed' | 'forgotten' | 'refused', record?: ShownRecord, why?: Record<string, string> }} Done
 */

/** @param {unknown} value @returns {value is Seen} */
export const isSeen = (value) =>
  value instanceof Object && 'records' in value && Array.isArray(value.records) && value.records.every(isRecord)

/** @param {unknown} value @returns {value is Graph} */
export const isGraph = (value) =>
  value instanceof Object &&
  'nodes' in value &&
  'edges' in value &&
  Array.isArray(value.nodes) &&
  Array.isArray(value.edges) &&
  value.nodes.every(isNode) &&
  value.edges.every((edge) => edge instanceof Object && 'from' in edge && 'says' in edge)

/** @param {unknown} node */
const isNode = (node) => node instanceof Object && 'key' in node && 'facts' in node && Array.isArray(node.facts)

/** @param {unknown} value @returns {value is Counts} */
export const isCounts = (value) =>
  value instanceof Object && 'people' in value && typeof value.people === 'number' && 'ofPeople' in value

/** @param {unknown} value @returns {value is Done} */
export const isDone = (value) =>
  value instanceof Object &&
  'kind' in value &&
  (value.kind === 'forgotten' ||
    (value.kind === 'refused' && 'why' in value) ||
    ('record' in value && isRecord(value.record)))

/** @param {unknown} value @returns {value is ShownRecord} */
const isRecord = (value) =>
  value instanceof Object && 'label' in value && 'text' in value && typeof value.text === 'string' && 'from' in value
