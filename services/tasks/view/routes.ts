// The routes of the page of tasks. They show what is stored and change nothing; of tasks in conversations that are not the reader's there are none. Words of
// anybody stand in an answer as they are kept, with whose words they are (`Kept`).
import { z } from 'zod'
import { conversationPattern, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import { toPageRoute, type PageRoute } from '#shared/feature/page.ts'
import { showDiff, showFile, showOutside, showTrees } from './show-files.ts'
import { showList, showStep, showTask } from './show-task.ts'
import type { TaskPlace, TaskReader } from './task-reader.ts'

export type TaskPagePorts = {
  readonly tasks: TaskReader
  /** Those that the page's reader sees, the newest first. */
  conversationsOf(principal: PrincipalId): Promise<readonly ConversationId[]>
  readonly clock: { now(): number }
}

const home = z.string().regex(conversationPattern).max(200)
const digits = z.string().regex(/^\d{1,6}$/)
const place = { conversation: home, number: digits }
/** A point among those that are kept, or how it stands now. */
const point = z.string().regex(/^(?:now|start|\d{1,3})$/)
const file = z.string().min(1).max(300)

export const toRoutes = (ports: TaskPagePorts): readonly PageRoute[] => {
  const { tasks, clock } = ports
  const toPlace = (input: { readonly conversation: string; readonly number: string }, principal: PrincipalId) =>
    checkPlace(ports, { home: input.conversation, number: Number(input.number), principal })
  return [
    toPageRoute({
      method: 'GET',
      path: 'list',
      input: {},
      handle: async ({ principal }) => await showList(tasks, await ports.conversationsOf(principal), clock.now()),
    }),
    toPageRoute({
      method: 'GET',
      path: 'task',
      input: place,
      handle: async ({ input, principal }) => await showTask(tasks, await toPlace(input, principal), clock.now()),
    }),
    toPageRoute({
      method: 'GET',
      path: 'step',
      input: { ...place, id: digits, generation: digits },
      handle: async ({ input, principal }) =>
        await showStep(tasks, await toPlace(input, principal), {
          number: Number(input.id),
          generation: Number(input.generation),
        }),
    }),
    toPageRoute({
      method: 'GET',
      path: 'compare',
      input: { ...place, from: point, to: point },
      handle: async ({ input, principal }) => await showTrees(tasks, await toPlace(input, principal), input),
    }),
    toPageRoute({
      method: 'GET',
      path: 'outside',
      input: { ...place, at: point },
      handle: async ({ input, principal }) => await showOutside(tasks, await toPlace(input, principal), input),
    }),
    toPageRoute({
      method: 'GET',
      path: 'diff',
      input: { ...place, from: point, to: point, path: file },
      handle: async ({ input, principal }) => await showDiff(tasks, await toPlace(input, principal), input),
    }),
    toPageRoute({
      method: 'GET',
      path: 'file',
      input: { ...place, at: point, path: file },
      handle: async ({ input, principal }) => await showFile(tasks, await toPlace(input, principal), input),
    }),
  ]
}

async function checkPlace(ports: TaskPagePorts, wanted: TaskPlace): Promise<TaskPlace> {
  const all = await ports.conversationsOf(wanted.principal)
  if (all.includes(wanted.home)) return wanted
  throw new BotError('not-found', 'There is no such conversation among yours.')
}
