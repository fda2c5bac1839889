// The classifier against the labelled sets and in its properties: total, deterministic, fast, linear in the text. Each set was
// scored once before the rules saw it (type/depth, %). Beside the rules: `first` before any rule, second 95/96, third 88/90,
// fourth 92/94, fifth 92/96, sixth 95/98, seventh 90/96, tenth 88/93, eleventh 85/91, twelfth 91/95, thirteenth 90/96,
// fourteenth 98/99. By independent people, from the specification alone: eighth 92/97, ninth 97/99.
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createClassifier } from '#services/router/classify.ts'
import { defaultRouting, routingConfig } from '#services/router/patterns.ts'
import { classification, depths, messageTypes } from '#shared/chat/decision.ts'
import { runs } from '#test/rig/property-runs.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const labelled = z.object({
  text: z.string(),
  previousReply: z.string().optional(),
  openQuestion: z.string().optional(),
  type: z.enum(messageTypes),
  depth: z.enum(depths),
})
const folder = new URL('labelled/', import.meta.url)
const classify = createClassifier(defaultRouting)

function loadSet(name: string): readonly z.infer<typeof labelled>[] {
  const lines = readFileSync(new URL(name, folder), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => labelled.parse(JSON.parse(line)))
}

function toInput({ text, previousReply, openQuestion }: z.infer<typeof labelled>) {
  return {
    text,
    ...(previousReply === undefined ? {} : { previousReply }),
    ...(openQuestion === undefined ? {} : { openQuestion }),
  }
}

/** What is still misread, told of so that nobody adds to it unseen. */
const knownMisses = new Set([
  'Complete the sentence means what?',
  "complete noob here, what's dns",
  'Convert 5 miles to kilometers and put it in the doc',
  'create a folder called invoices and move the pdfs there',
  'could you draft a quick reply to this customer',
  'tell me a bedtime story about a dragon',
  '给我讲个笑话',
  '做一个详尽的竞品分析不必了，做个普通的竞品分析就行',
])

const sets = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))

describe('labelled messages', () => {
  it.each(sets)('gives at least 95 %% the right type and depth in %s', (name) => {
    const cases = loadSet(name)
    const results = cases.map((wanted) => ({ wanted, got: classify(toInput(wanted)) }))
    const misses = results.filter(({ wanted, got }) => wanted.type !== got.type || wanted.depth !== got.depth)
    const told = misses.map(
      ({ wanted, got }) =>
        `${wanted.text} → ${got.type} ${got.depth} (${got.rule}), wanted ${wanted.type} ${wanted.depth}`,
    )
    const right = (key: 'type' | 'depth'): number =>
      results.filter(({ wanted, got }) => wanted[key] === got[key]).length
    expect(cases.length).toBeGreaterThan(90)
    expect(right('type') / cases.length, told.join('\n')).toBeGreaterThanOrEqual(0.95)
    expect(right('depth') / cases.length, told.join('\n')).toBeGreaterThanOrEqual(0.95)
  })

  it('misreads no message of any set but those that are known', () => {
    const misread = sets.flatMap(loadSet).filter((wanted) => {
      const got = classify(toInput(wanted))
      return got.type !== wanted.type || got.depth !== wanted.depth
    })
    expect(new Set(misread.map(({ text }) => text))).toEqual(knownMisses)
  })

  it('holds at least 300 messages written before tuning', () => {
    expect(loadSet('first.jsonl').length).toBeGreaterThanOrEqual(300)
  })
})

describe('properties', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '好的',
          '谢谢',
          '帮我',
          '详细',
          '不要',
          '重构',
          'ok',
          ' ',
          '?',
          '，',
          '👍',
          '\ud800',
          '\u202e',
          'please',
          '“',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join('')),
  )

  it('never throws, answers alike twice, and answers within the vocabulary', () => {
    fc.assert(
      fc.property(anyText, fc.option(anyText, { nil: '' }), (text, previousReply) => {
        const once = classify({ text, previousReply })
        expect(classification.parse(once)).toEqual(classify({ text, previousReply }))
      }),
      runs(500),
    )
  })

  it('takes any run of emoji for a courtesy', () => {
    const emoji = fc.array(fc.constantFrom('👍', '😂', '🎉', '❤️', '👨‍👩‍👧', '🇨🇳', '👏🏽', ' '), {
      minLength: 1,
      maxLength: 50,
    })
    fc.assert(
      fc.property(emoji, (parts) => {
        const text = parts.join('')
        fc.pre(text.trim() !== '')
        expect(classify({ text })).toMatchObject({ type: 'social', depth: 'light' })
      }),
      runs(100),
    )
  })

  it('gives every slash command `command` and `light`, whatever follows', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/), anyText, (name, rest) => {
        expect(classify({ text: `/${name} ${rest}` })).toMatchObject({ type: 'command', depth: 'light' })
      }),
      runs(100),
    )
  })

  it('never calls a courtesy deep after an offer that is declined', () => {
    for (const text of ['不用了', 'no thanks', '算了', 'not now']) {
      expect(classify({ text, previousReply: '要我重构整个模块吗？' })).toMatchObject({
        type: 'social',
        depth: 'light',
      })
    }
  })
})

describe('speed', () => {
  it('takes less than a millisecond at the 99th percentile', () => {
    const cases = sets.flatMap(loadSet).map(toInput)
    // Of each message the fastest of ten runs, since other processes take the core during some of them.
    const fastestMs = cases.map(() => Infinity)
    for (let turn = 0; turn < 10; turn += 1) {
      for (const [at, input] of cases.entries()) {
        const beganMs = processorMs()
        classify(input)
        fastestMs[at] = Math.min(fastestMs[at] ?? Infinity, processorMs() - beganMs)
      }
    }
    expect(fastestMs.toSorted((a, b) => a - b)[Math.floor(cases.length * 0.99)]).toBeLessThan(1)
  }, 20_000)

  it('answers the first message after creation quickly', () => {
    const fresh = createClassifier(defaultRouting)
    const beganMs = processorMs()
    fresh({ text: '好的，那帮我看看明天的天气', previousReply: '要我继续吗？' })
    expect(processorMs() - beganMs).toBeLessThan(20)
  })

  it.each(['a', '😀', '先再', '那就', '不要太', '"', 'please write ', '再详细一点', '你这也', '帮我写一份报告，'])(
    'stays quick on a megabyte of %j, in the text and in the previous reply',
    (unit) => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
      classify({ text })
      const beganMs = processorMs()
      classify({ text })
      classify({ text: '好的', previousReply: text })
      expect(processorMs() - beganMs).toBeLessThan(200)
    },
  )
})

describe('configuration', () => {
  it('fills every key that is left out', () => {
    expect(routingConfig.parse({ brief: ['zack'] })).toEqual({ ...defaultRouting, brief: ['zack'] })
  })

  it('uses configured words in place of the defaults', () => {
    const own = createClassifier(routingConfig.parse({ social: ['arrr'], brief: ['zack'], deepKeywords: ['plunder'] }))
    expect(own({ text: 'arrr!' })).toMatchObject({ type: 'social' })
    expect(own({ text: 'explain zack' })).toMatchObject({ type: 'command', depth: 'light' })
    expect(own({ text: 'please plunder the ship' })).toMatchObject({ type: 'task', depth: 'deep' })
  })

  it.each([
    'social',
    'acknowledge',
    'proceed',
    'filler',
    'refusal',
    'brief',
    'detailed',
    'briefPhrases',
    'detailedPhrases',
    'deepKeywords',
    'deepObjects',
    'produce',
    'act',
    'build',
    'buildObjects',
    'inform',
    'workObjects',
    'symptoms',
    'products',
    'askFrames',
    'orderFrames',
    'wishFrames',
    'leadIns',
    'selfNouns',
    'meta',
    'stop',
  ])('works with an empty list for %s', (key) => {
    const own = createClassifier(routingConfig.parse({ [key]: [] }))
    expect(own({ text: 'what is the time' })).toMatchObject({ type: 'query', depth: 'standard' })
  })

  it('refuses an unknown key and a pattern that could run away, naming it', () => {
    expect(() => routingConfig.parse({ socail: [] })).toThrow(/socail/)
    for (const source of ['(a+)+$', '(a|a)*', 'a{1,}', '(?=a)b', '\\1', '(a?){5}', 'x'.repeat(600), '(']) {
      expect(() => routingConfig.parse({ meta: [source] }), source).toThrow(/the pattern/)
    }
  })
})
