// What an answer rests on: tools that worked or were made good, and what the person has told.
import { describe, expect, it } from 'vitest'
import { findConfirmation } from '#services/confidence/confirmed.ts'
import { toFacts } from '#services/confidence/told.ts'
import { findFailed, toOutcome, type UsedTool } from '#services/confidence/tool-outcome.ts'

const tools = (...named: readonly string[]): readonly UsedTool[] =>
  named.map((one) => ({ name: one.slice(1), ok: one.startsWith('+') }))

describe('tools', () => {
  it.each([
    [[], 'none'],
    [['+mail_send'], 'worked'],
    [['-mail_send'], 'failed'],
    [['-mail_send', '+mail_send'], 'mended'],
    [['-search_web', '+browser_fetch'], 'mended'],
    [['+browser_fetch', '-search_web'], 'partly'],
    [['-mail_send', '+search_web'], 'partly'],
    [['-search_web', '+time_now'], 'partly'],
  ] as const)('%j: %s', (given, wanted) => {
    expect(toOutcome(tools(...given), () => true)).toBe(wanted)
  })

  it('a clock is no source for what is no question of time', () => {
    expect(toOutcome(tools('+time_now'), () => false)).toBe('none')
    expect(toOutcome(tools('+time_now', '+search_web'), () => false)).toBe('worked')
  })

  it('names what failed and stayed so', () => {
    expect(findFailed(tools('-a_search', '+b_search', '-send_it')).map(({ name }) => name)).toEqual(['send_it'])
  })
})

describe('what was confirmed', () => {
  it.each([
    ['When is my flight?', 'At 9 in the morning.', ['My flight is at 9 am'], 'same'],
    ['When is my flight?', 'Your flight leaves at 10.', ['My flight is at 9 am'], 'other'],
    ['我的会议几点？', '下午三点。', ['会议：15:00'], 'same'],
    ['我今年几岁？', '你三十二岁。', ['我今年 32 岁'], 'same'],
    ['我的会议几点？', '会议是 15:00。', ['会议改到下午 3 点了'], 'same'],
    ['我住几楼？', '你住 12 楼。', ['我住八楼'], 'other'],
    ['What is a fjord?', 'A narrow inlet of the sea.', ['I live in Bergen'], 'none'],
    ['Which tea do I like?', 'You like oolong tea.', ['I like oolong tea'], 'same'],
  ] as const)('%s %s', (question, answer, facts, wanted) => {
    expect(findConfirmation(question, answer, facts)).toBe(wanted)
  })
})

describe('what was told', () => {
  it('is what people say of themselves, and neither what they ask nor what they want', () => {
    expect(
      toFacts([
        'My flight is at 9. When should I leave?',
        '我对花生过敏。帮我找个餐厅',
        'Book me a table for 8',
        'What is my balance?',
        'The sky is blue.',
      ]),
    ).toEqual(['my flight is at 9', '我对花生过敏'])
  })
})
