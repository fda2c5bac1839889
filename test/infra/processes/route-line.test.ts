// One line in, one line out, and a helpful error for a line that cannot be read.
import { describe, expect, it } from 'vitest'
import { createClassifier } from '#services/router/classify.ts'
import { defaultRouting } from '#services/router/patterns.ts'
import { routeLine } from '#infra/processes/route-line.ts'

const deps = { classify: createClassifier(defaultRouting), openCommands: ['help'], findMeant: () => undefined }
const route = (line: string): unknown => JSON.parse(routeLine(deps, line))

describe('routeLine', () => {
  it('prints type, depth, complex and rule, and nothing else', () => {
    expect(route('{"text":"谢谢"}')).toEqual({ type: 'social', depth: 'light', complex: false, rule: 'social.whole' })
    expect(route('{"text":"好的","previousReply":"要我帮你重构整个模块吗？"}')).toMatchObject({
      type: 'task',
      depth: 'deep',
    })
    expect(route('{"text":"ok","openQuestion":"Want me to look up the weather?"}')).toMatchObject({
      type: 'query',
      depth: 'standard',
    })
  })

  it('ignores further keys and a null in an optional one', () => {
    expect(route('{"text":"hi","id":7,"previousReply":null}')).toMatchObject({ type: 'social' })
  })

  it('decides of messages that come in one go as of one', () => {
    const comment = { text: '帮我总结一下' }
    const forward = { text: '', forwards: 'A long article.', afterMs: 500 }
    expect(route(JSON.stringify({ messages: [comment, forward] }))).toMatchObject({
      decisions: [
        { act: 'turn', type: 'task' },
        { act: 'turn', by: 'quote.only' },
      ],
    })
    const photos = [1, 2, 3].map(() => ({ text: '', file: 'photo', album: 'a' }))
    expect(route(JSON.stringify({ messages: photos }))).toMatchObject({
      decisions: [
        { act: 'ack', by: 'media.only' },
        { act: 'ignore', by: 'album.rest' },
        { act: 'ignore', by: 'album.rest' },
      ],
    })
    const inGroup = [
      { text: 'hey bot', addressed: true },
      { text: 'what is a fjord?' },
      { text: 'lunch?', from: 'bob' },
    ]
    expect(route(JSON.stringify({ messages: inGroup, group: 'mention' }))).toMatchObject({
      decisions: [{ act: 'turn' }, { act: 'turn', type: 'query' }, { act: 'ignore', by: 'group.not-addressed' }],
    })
  })

  it('takes a command among messages for one, as channels do', () => {
    const messages = [
      { text: 'hello there' },
      { text: '/allow 5', from: 'bob' },
      { text: '/usr/bin is full', from: 'eve' },
    ]
    expect(route(JSON.stringify({ messages, group: 'mention' }))).toMatchObject({
      decisions: [{ act: 'ignore' }, { act: 'command' }, { act: 'ignore' }],
    })
  })

  it.each([
    '',
    'hello',
    '{"messages":[]}',
    '{"messages":[{}]}',
    '[]',
    '{"text":5}',
    '{}',
    '{"text":"a","previousReply":5}',
    'null',
  ])('answers %j with an error that shows the form', (line) => {
    expect(route(line)).toEqual({ error: expect.stringContaining('"text"') })
  })
})
