// Facts about cards of the simulated Feishu: what schema 2.0 refuses (230099, with the words of the cards' own service), and what is seen.
import { expect, test } from 'vitest'
import { card, startRig } from './feishu-bot.ts'

const body = (...elements: readonly object[]) => ({ schema: '2.0', body: { elements } })
const markdown = (content: string, more: object = {}) => ({ tag: 'markdown', content, ...more })
const button = (more: object = {}) => ({ tag: 'button', text: { tag: 'plain_text', content: 'Go' }, ...more })
const table = '| a | b |\n|---|---|\n| 1 | 2 |\n'

test.each([
  ['an unknown property of an element', body(markdown('x', { colour: 'red' })), 'unknown property, property: colour'],
  ['an unknown property of the card', { ...body(markdown('x')), elements: [] }, 'unknown property, property: elements'],
  ['an unknown property of the config', { ...body(), config: { wide_screen_mode: true } }, 'wide_screen_mode'],
  ['the value of a button of schema 1.0', body(button({ value: { go: 1 } })), 'unknown property, property: value'],
  ['the action of schema 1.0', body({ tag: 'action', actions: [] }), 'no longer support this capability'],
  ['the note of schema 1.0', body({ tag: 'note', elements: [] }), 'no longer support this capability'],
  ['a column outside of its set', body({ tag: 'column', elements: [] }), 'no longer support this capability'],
  ['markdown without content', body({ tag: 'markdown' }), 'type mismatch'],
  ['a picture without its key', body({ tag: 'img' }), 'required property is missing'],
  ['a card that is not shared', { ...body(), config: { update_multi: false } }, 'update_multi only supports true'],
  ['a behavior of another kind', body(button({ behaviors: [{ type: 'dance' }] })), 'unsupported behavior type'],
  ['a callback without value', body(button({ behaviors: [{ type: 'callback' }] })), 'callback value is invalid'],
  ['an id that begins with a digit', body(markdown('x', { element_id: '1st' })), 'element id is invalid'],
  ['an id of 21 characters', body(markdown('x', { element_id: 'a'.repeat(21) })), 'element id is invalid'],
  [
    'an id twice',
    body(markdown('x', { element_id: 'a' }), markdown('y', { element_id: 'a' })),
    'element id is duplicated',
  ],
  ['six tables in markdown', body(markdown(`${table}\n`.repeat(6))), 'card table number over limit'],
  ['a table of fifty rows', body(markdown(table + '| 1 | 2 |\n'.repeat(49))), 'element exceeds the limit'],
  ['201 elements', body(...Array.from({ length: 201 }, () => markdown('x'))), 'element exceeds the limit'],
  [
    'elements that are counted inside of others',
    body(...Array.from({ length: 101 }, () => button())),
    'element exceeds',
  ],
  ['a person that nobody knows', body(markdown('<at id=ou_0></at>')), 'invalid user resource'],
  ['a schema of its own', { schema: '3.0', body: { elements: [] } }, 'invalid schema'],
  ['a template', { type: 'template', data: { template_id: 'x' } }, 'template does not exist'],
  ['a card entity that does not exist', { type: 'card', data: { card_id: '7' } }, 'cardid is invalid'],
])('refuses %s', async (_, content, words) => {
  await using rig = await startRig()
  const { status, code, msg } = await rig.refusal(rig.send('interactive', content))
  expect({ status, code }).toEqual({ status: 400, code: 230_099 })
  expect(msg).toContain('Failed to create card content, ext=ErrCode: ')
  expect(msg).toContain(words)
})

test('takes 200 elements, five tables, a table of 49 rows and an id of 20 characters', async () => {
  await using rig = await startRig()
  await rig.send('interactive', body(...Array.from({ length: 200 }, () => markdown('x'))))
  await rig.send('interactive', body(markdown(`${table}\n`.repeat(5), { element_id: 'a'.repeat(20) })))
  await rig.send('interactive', body(markdown(table + '| 1 | 2 |\n'.repeat(48))))
  expect(rig.feishu.visible(rig.group)).toHaveLength(3)
})

test('refuses more than 30 KB, by bytes', async () => {
  await using rig = await startRig()
  await rig.send('interactive', body(markdown('字'.repeat(10_000))))
  expect(await rig.refusal(rig.send('interactive', body(markdown('字'.repeat(10_300)))))).toMatchObject({
    code: 230_025,
  })
})

test('ignores in schema 1.0 what it does not know', async () => {
  await using rig = await startRig()
  const old = {
    config: { update_multi: true, dance: 1 },
    header: { title: { tag: 'plain_text', content: 'Title' } },
    elements: [
      { tag: 'div', text: { tag: 'lark_md', content: 'Text' }, colour: 'red' },
      { tag: 'action', actions: [button({ value: { go: 1 } }), button({ url: 'https://example.org/' })] },
    ],
  }
  await rig.send('interactive', old)
  expect(rig.feishu.visible(rig.group)).toMatchObject([
    { text: 'Title\nText', buttons: [[{ label: 'Go', value: { go: 1 } }, { url: 'https://example.org/' }]] },
  ])
})

test('shows a card as its text, line by line, with its buttons, row by row', async () => {
  await using rig = await startRig()
  const rich = {
    schema: '2.0',
    header: { title: { tag: 'plain_text', content: 'Title' } },
    body: {
      elements: [
        markdown(`Hello <at id=${rig.ann.openId}></at>`),
        { tag: 'hr' },
        {
          tag: 'table',
          columns: [{ name: 'a', display_name: 'A' }, { name: 'b' }],
          rows: [{ a: 1, b: 'x' }],
        },
        {
          tag: 'collapsible_panel',
          header: { title: { tag: 'plain_text', content: 'More' } },
          elements: [markdown('inside')],
        },
        button({ disabled: true }),
        {
          tag: 'column_set',
          columns: [
            { tag: 'column', elements: [button()] },
            { tag: 'column', elements: [button()] },
          ],
        },
      ],
    },
  }
  await rig.send('interactive', rich)
  const [shown] = rig.feishu.visible(rig.group)
  expect(shown?.text.split('\n')).toEqual([
    'Title',
    `Hello <at id=${rig.ann.openId}></at>`,
    '---',
    '| A | b |',
    '| 1 | x |',
    'More',
    'inside',
  ])
  expect(shown?.buttons.map((row) => row.length)).toEqual([1, 2])
  expect(shown?.buttons[0]).toMatchObject([{ label: 'Go', isDisabled: true }])
  expect(shown?.pings).toEqual([rig.ann.openId])
})

test('cannot be pressed where it shows no such button, or one that is disabled', async () => {
  await using rig = await startRig()
  const { message_id: id } = await rig.send('interactive', card('ask', 'Go'))
  expect(() => rig.ann.press(rig.group, id, 'Stop')).toThrow('shows no button')
  const { message_id: off } = await rig.send('interactive', body(button({ disabled: true })))
  expect(() => rig.ann.press(rig.group, off, 'Go')).toThrow('shows no button')
  rig.feishu.advance(14 * 86_400_000 + 1000)
  expect(() => rig.ann.press(rig.group, id, 'Go')).toThrow('too old')
})
