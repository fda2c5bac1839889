// Facts about replies that have a file: sent once as a document, as text where the chat takes none, and not kept after their end.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { say } from '#test/rig/channel-rig.ts'
import { openTelegramRig, type TelegramRig } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const file = { name: 'notes.txt', caption: 'Here they are.', text: 'One line of it. '.repeat(2000) }
const words = Array.from({ length: 2000 }, (_, n) => `word${n}`)
const instead = say(`**Notes**\n\n${words.slice(0, 1000).join(' ')}\n\n${words.slice(1000).join(' ')}`, { file })

async function openDirect(): Promise<TelegramRig> {
  const rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  return rig
}
const shown = (rig: TelegramRig) => rig.telegram.visible(7).filter((one) => one.from === 'bot')

test('a document that the chat does not take comes as text, whole, and the chat stays open', async () => {
  await using rig = await openDirect()
  const description = 'Bad Request: not enough rights to send documents to the chat'
  rig.telegram.fault({ when: { method: 'sendDocument' }, fault: { kind: 'error', status: 400, description } })
  await rig.queue('telegram:7', [instead, say('After it.')])
  await rig.deliver('telegram:7')
  const texts = shown(rig).map((one) => one.text)
  expect(texts.at(-1)).toBe('After it.')
  expect(texts.slice(0, -1).join(' ').split(/\s+/)).toEqual(['Notes', ...words])
  expect(rig.telegram.ledger.of('sendDocument')).toHaveLength(1)
})

test('a slow-down is waited for, and the file is sent again as a file', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({
    when: { method: 'sendDocument' },
    times: 1,
    fault: { kind: 'error', status: 429, description: 'Too Many Requests' },
  })
  await rig.queue('telegram:7', [instead])
  await rig.deliver('telegram:7')
  expect(shown(rig)).toEqual([])
  await expect
    .poll(
      async () => {
        await rig.deliver('telegram:7')
        return shown(rig).map((one) => [one.text, one.document])
      },
      { timeout: 5000 },
    )
    .toEqual([['Here they are.', 'notes.txt']])
})

test('a file that may have arrived is not sent again, and Redis keeps none of it', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({ when: { method: 'sendDocument' }, times: 1, fault: { kind: 'reset', accepted: true } })
  await rig.queue('telegram:7', [instead])
  await rig.deliver('telegram:7')
  expect(shown(rig)[0]).toMatchObject({ text: file.caption, document: file.name })
  const rows = await readStoredRows(server.admin)
  expect(rows.map(({ fields }) => fields['s'])).toContain('unknown')
  expect(JSON.stringify(rows)).not.toContain('One line of it.')
  const values = await Promise.all((await server.admin.keys('fl:*:q:*')).map((key) => server.admin.hgetall(key)))
  expect(JSON.stringify(values)).not.toContain('One line of it.')
})

test('a file that has arrived is kept no longer', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [instead])
  await rig.deliver('telegram:7')
  expect(shown(rig)[0]).toMatchObject({ document: file.name, documentText: file.text })
  expect(JSON.stringify(await readStoredRows(server.admin))).not.toContain('One line of it.')
})
