// Facts about the buttons under answers in a group: none by default, since each costs all people there calls; who wants them has them.
import { expect, test } from 'vitest'
import { toCommand } from '#test/rig/events.ts'
import { labels } from '#test/rig/chats/chat.ts'
import { createStage } from '#test/services/executor/stage.ts'

const long = 'word by word '.repeat(40)
const answered = async (stage: ReturnType<typeof createStage>, group: boolean): Promise<readonly string[]> => {
  stage.answers(long)
  await stage.ask('tell me', { group })
  const found = (await stage.sent()).findLast(({ text }) => text === long.trim() || text === long)
  return labels({ buttons: (found?.buttons ?? []).map((row) => row.map(({ id, label }) => ({ label, data: id }))) })
}

test('a direct chat has Shorter and Longer, a group has not', async () => {
  expect(await answered(createStage(), false)).toEqual(['Shorter', 'Longer'])
  expect(await answered(createStage(), true)).toEqual([])
})

test('an answer that broke off can be continued in a group too', async () => {
  const stage = createStage()
  stage.answers({ text: long, finish: 'length' })
  await stage.ask('tell me', { group: true })
  expect(
    (await stage.sent())
      .at(-1)
      ?.buttons?.flat()
      .map(({ label }) => label),
  ).toEqual(['Continue'])
})

test('with the setting on, a group has them too; off, nobody has', async () => {
  for (const [value, group, expected] of [
    ['on', true, ['Shorter', 'Longer']],
    ['off', false, []],
    ['auto', true, []],
  ] as const) {
    const stage = createStage()
    const document = `# CONFIG\n## Preferences\nanswerButtons: ${value}`
    await stage.ask(`/config ${document}`, { group, senderIsAdmin: true, as: toCommand('config', document) })
    expect(await answered(stage, group), value).toEqual(expected)
  }
})
