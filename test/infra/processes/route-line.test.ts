// One line in, one line out, and a helpful error for a line that cannot be read.
import { describe, expect, it } from 'vitest'
import { createClassifier } from '#services/router/classify.ts'
import { defaultRouting } from '#services/router/patterns.ts'
import { routeLine } from '#infra/processes/route-line.ts'

const classify = createClassifier(defaultRouting)
const route = (line: string): unknown => JSON.parse(routeLine(classify, line))

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

  it.each(['', 'hello', '[]', '{"text":5}', '{}', '{"text":"a","previousReply":5}', 'null'])(
    'answers %j with an error that shows the form',
    (line) => {
      expect(route(line)).toEqual({ error: expect.stringContaining('"text"') })
    },
  )
})
