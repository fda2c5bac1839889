// The tool that tells the time: whose zone it is, the weekday, and ISO.
import { expect, test } from 'vitest'
import { createTimeNow } from '#services/time-now/time-now.ts'
import { toolContext } from '#test/rig/tool-context.ts'
import type { ToolContext } from '#shared/model/tool.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const [tool] = toolsOf([createTimeNow({ now: () => Date.UTC(2026, 10, 25, 2, 5, 9), timeZone: 'Europe/Berlin' })])
const ask = async (input: unknown, context: Partial<ToolContext> = {}): Promise<unknown> =>
  await tool?.run(input, { ...toolContext, ...context }, new AbortController().signal)

test.each([
  ["the person's own", {}, 'Asia/Shanghai', 'Wednesday, 2026-11-25T10:05:09+08:00 (Asia/Shanghai)'],
  [
    'one that is asked for',
    { zone: 'America/St_Johns' },
    'Asia/Shanghai',
    'Tuesday, 2026-11-24T22:35:09-03:30 (America/St_Johns)',
  ],
  ['UTC', { zone: 'UTC' }, undefined, 'Wednesday, 2026-11-25T02:05:09+00:00 (UTC)'],
  [
    "the server's, which is said",
    {},
    undefined,
    "Wednesday, 2026-11-25T03:05:09+01:00 (Europe/Berlin)\nThat is the server's zone: the zone of the person is not known.",
  ],
])('tells the time in %s', async (_, input, own, text) => {
  expect(await ask(input, { zone: async () => own })).toEqual({ text, source: 'own' })
})

test('speaks the language of the conversation, and refuses what is no zone', async () => {
  expect(await ask({ zone: 'Asia/Shanghai' }, { language: 'zh' })).toMatchObject({
    text: '星期三, 2026-11-25T10:05:09+08:00 (Asia/Shanghai)',
  })
  await expect(ask({ zone: 'Mars/Olympus' })).rejects.toThrow('there is no such time zone')
  await expect(ask({ zone: 7 })).rejects.toThrow()
})
