// The folders of the executor are floors: each imports from those below it only (infra/decisions/090).
import { isCode, parseImports, resolveImport } from './source-file.ts'
import type { Rule } from './source-file.ts'

const room = 'services/executor/'
/** From the ground up: stored shapes, what a run works with, prompts, steps, …, and what serves a conversation. */
export const floors = [
  'state',
  'run',
  'context',
  'step',
  'compaction',
  'turn',
  'planning',
  'model',
  'gateway',
  'events',
  'ending',
  'readers',
  'serve',
]

export const floorRule: Rule = (files) =>
  files
    .filter((file) => isCode(file) && file.path.startsWith(room))
    .flatMap((file) => {
      const own = floorOf(file.path)
      if (own < 0) return [`${file.path} is in no folder of the executor's list of floors`]
      return parseImports(file.text).flatMap((specifier) => {
        const target = resolveImport(file, specifier)
        if (target === undefined || !target.startsWith(room) || floorOf(target) <= own) return []
        return [`${file.path} imports ${target}, which is above it`]
      })
    })

const floorOf = (path: string): number => floors.indexOf(path.slice(room.length).split('/')[0] ?? '')
