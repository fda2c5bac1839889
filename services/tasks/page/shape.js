// What the routes answer, as far as the page looks at it.
import { read } from './make.js'

/** @typedef {{ value: string }} KeptText */
/** @typedef {{ name: string, how: string, head?: string, ms?: number }} Call */
/** @typedef {{ what: string, number: number, generation: number, begunAt: number, endedAt: number, ending: string, tokens: number, calls: Call[], left: number }} Log */
/** @typedef {{ number: number, generation: number }} Output */
/**
 * @typedef {{
 *   number: number, id: number, title: string, task: string, status: string, isNow: boolean, isCheckpoint: boolean, writesOutside: boolean,
 *   output?: Output, startedAt?: number, finishedAt?: number, waitsFor: number[],
 * }} Step
 */
/** @typedef {{ at: number, step: number, generation: number, isHere: boolean, isAside: boolean, common: number, outside: number, hasFiles: boolean }} Point */
/** @typedef {{ path: string, hash: string, bytes: number }} TreeFile */
/**
 * @typedef {{
 *   now: number, conversation: string, number: number, state: string, waits: string, phase: string, generation: number, tokens: number, workMs: number,
 *   begunAt: number, endsAt?: number, isAtWork: boolean, order?: KeptText, outlook: { kind: string, waits?: string, step?: number },
 *   steps?: { value: Step[] }, points: Point[],
 *   running?: { value: { begunAt: number, tokens: number, calls: Call[], left: number } }, logs: { value: Log }[], files?: { value: TreeFile[] },
 * }} Task
 */
/**
 * @typedef {{
 *   conversation: string, number: number, title: KeptText, state: string, waits: string, done: number, all: number, tokens: number, begunAt: number,
 * }} ListedTask
 */

/** @param {unknown} value @returns {value is Task} */
export const isTask = (value) =>
  typeof read(value, 'number') === 'number' &&
  Array.isArray(read(value, 'logs')) &&
  Array.isArray(read(value, 'points'))

/** @param {unknown} value @returns {value is { now: number, tasks: ListedTask[] }} */
export const isList = (value) => typeof read(value, 'now') === 'number' && Array.isArray(read(value, 'tasks'))

/** The files of one state; none where there are none. @param {unknown} kept @returns {readonly TreeFile[]} */
export function filesOf(kept) {
  const value = read(kept, 'value')
  return Array.isArray(value) ? value.filter(isFile) : []
}

/** @param {unknown} value @returns {value is TreeFile} */
const isFile = (value) => typeof read(value, 'path') === 'string' && typeof read(value, 'hash') === 'string'
