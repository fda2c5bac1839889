// Which replies to a card deny: all but a yes, and what begins with one and says no nowhere.
import { expect, test } from 'vitest'
import { denies } from '#services/tool-rights/denies.ts'

test.each([
  '好的，特别感谢',
  '好的，分别做',
  '好的，识别之后告诉我',
  '好的，区别很大',
  '好的，别人也同意了',
  '好的，不错',
  '好的，不客气',
  '好的，不用谢',
  '可以，不急',
  '好的谢谢',
  '没问题，辛苦了',
  'ok, thanks a lot',
  'yes',
  '同意。',
  '',
])('“%s” does not', (words) => expect(denies(words)).toBe(false))

test.each([
  '别',
  '别买了',
  '好的，别买了',
  '好的，这个别买了',
  '好的，别处理了',
  '好的，广告别发',
  '好的，特别感谢，但是别买',
  '好的，先不要',
  '好的，不用了',
  '好的，不过太贵了',
  '可以，不',
  '特别贵',
  '好贵',
  'ok, do not do it',
  'ok, but only half',
  'no',
  'why?',
])('“%s” does', (words) => expect(denies(words)).toBe(true))

test('a long text takes no time', () => expect(denies(`好的，${'别'.repeat(1_000_000)}`)).toBe(true))
