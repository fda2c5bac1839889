// What each reader of the classifier sees in a message: courtesies, wishes, questions about the bot, work.
import { describe, expect, it } from 'vitest'
import { createMetaFinder } from '#services/router/meta.ts'
import { normalise, type NormalText } from '#services/router/normalise.ts'
import { defaultRouting } from '#services/router/patterns.ts'
import { createPhaticReader } from '#services/router/phatic.ts'
import { createWorkFinder } from '#services/router/task.ts'
import { createWishFinder } from '#services/router/wish.ts'

const read = (text: string): NormalText => normalise(text, (given) => given)

describe('courtesies', () => {
  const phatic = createPhaticReader(defaultRouting)
  const kindsOf = (text: string): string => [...phatic(read(text)).kinds].toSorted().join(' ')

  it.each([
    ['好的', 'acknowledge'],
    ['好的，谢谢', 'acknowledge social'],
    ['ok', 'acknowledge'],
    ['👍', 'acknowledge'],
    ['哈哈哈', 'social'],
    ['谢谢小李', 'social'],
    ['thanks everyone', 'social'],
    ['@bob thanks', 'social'],
    ['thanks for the help', 'social'],
    ['thanks, I will do it', 'proceed social'],
    ['继续', 'proceed'],
    ['不用了', 'refusal'],
    ['收到啦', 'acknowledge social'],
    ['🎈', 'social'],
    ['。', ''],
  ])('%j is nothing but courtesy: %j', (text, kinds) => {
    expect(phatic(read(text))).toMatchObject({ whole: true, asks: false })
    expect(kindsOf(text)).toBe(kinds)
  })

  it.each(['在吗？', '你好吗', 'how are you?'])('%j greets, and asks nothing', (text) => {
    expect(phatic(read(text))).toMatchObject({ whole: true, asks: false })
  })

  it.each(['ok?', '好的？', '是不是'])('%j is a courtesy that asks', (text) => {
    expect(phatic(read(text))).toMatchObject({ whole: true, asks: true })
  })

  it.each(['那个', '', '?'])('%j alone is no courtesy', (text) => {
    expect(phatic(read(text)).whole).toBe(false)
  })

  it.each(['好的，一二三四五', 'ok, lovely sunny day up north', 'thanks, but why', '谢谢。天气如此', '好的这个好看吗'])(
    'what follows a courtesy and stands in no list is for the model: %j',
    (text) => {
      expect(phatic(read(text))).toMatchObject({ whole: false, asks: false })
    },
  )

  it('a name belongs to the courtesy before it', () => {
    expect(phatic(read('谢谢老王')).whole).toBe(true)
    expect(phatic(read('老王')).whole).toBe(false)
  })
})

describe('wishes', () => {
  const findWish = createWishFinder(defaultRouting)

  it.each([
    ['简单说说', 'brief'],
    ['详细解释一下', 'detailed'],
    ['explain in detail', 'detailed'],
    ['keep it short', 'brief'],
    ['give me a detailed report', 'detailed'],
    ['请写一份详细的计划', 'detailed'],
    ['a brief history of rome', 'brief'],
    ['请用50字以内回答', 'brief'],
    ['in three words', 'brief'],
  ])('%j wishes the answer %s', (text, wish) => {
    expect(findWish(read(text))).toBe(wish)
  })

  it.each([
    ['不要太详细', 'brief'],
    ['别太简单', 'detailed'],
    ['not too long please', 'brief'],
    ['太简单了', 'detailed'],
    ['太长了', 'brief'],
    ['that is too short', 'detailed'],
    ['too long', 'brief'],
  ])('%j wishes the contrary: %s', (text, wish) => {
    expect(findWish(read(text))).toBe(wish)
  })

  it.each([
    '快速排序怎么写',
    '老师说要详细',
    '他详细地说了',
    'what is a brief history',
    'is it brief?',
    '想要详细的资料吗',
    '详细步骤是什么',
    '不要简单也不要详细',
    '今天天气怎么样',
  ])('%j wishes nothing', (text) => {
    expect(findWish(read(text))).toBeUndefined()
  })

  it('of two wishes the last one holds, in one clause and in two', () => {
    expect(findWish(read('先简单说说，再详细讲讲'))).toBe('detailed')
    expect(findWish(read('先详细讲讲，再简单说说'))).toBe('brief')
    expect(findWish(read('详细解释一下，50字以内'))).toBe('brief')
    expect(findWish(read('50字以内，不，详细解释一下'))).toBe('detailed')
    expect(findWish(read('太长了，不过详细解释一下'))).toBe('detailed')
    expect(findWish(read('详细解释一下，太长了'))).toBe('brief')
  })

  it('two wishes of which one is negated do not cancel each other', () => {
    expect(findWish(read('不要太详细，不要太长'))).toBe('brief')
    expect(findWish(read('不要太简单，详细解释一下'))).toBe('detailed')
  })
})

describe('questions about the bot', () => {
  const isMeta = createMetaFinder(defaultRouting)

  it.each([
    '你是谁',
    '你记得我吗',
    'why did you stop',
    '为什么你刚才停了',
    'your memory',
    '你能用工具吗',
    'are you a bot',
    '你现在忙吗',
    'what model are you',
    'do you sleep',
    '你用的什么模型',
    'nice weather, are you a bot?',
  ])('%j is one', (text) => {
    expect(isMeta(read(text))).toBe(true)
  })

  it.each([
    '如果你是我',
    '你觉得呢',
    'are you sure',
    'how does memory work',
    'can you tell me why the sky is blue',
    '今天天气怎么样',
  ])('%j is none', (text) => {
    expect(isMeta(read(text))).toBe(false)
  })
})

describe('work', () => {
  const findWork = createWorkFinder(defaultRouting)
  const shown = (text: string): string => {
    const work = findWork(read(text))
    return work ? `${work.rule}${work.deep ? ' deep' : ''}` : 'none'
  }

  it.each([
    ['帮我写一首诗', 'task.verb'],
    ['write a poem', 'task.verb'],
    ['translate this', 'task.verb'],
    ['would you mind translating this', 'task.verb'],
    ['把这段翻译成英文', 'task.verb'],
    ['把它翻译', 'task.verb'],
    ['list three ideas', 'task.verb'],
    ['find the file', 'task.verb'],
    ['查天气并写邮件', 'task.verb'],
    ['做一个简单的网站', 'task.verb'],
    ['给我一份周报', 'task.object'],
    ['重构登录模块', 'task.deep-keyword deep'],
    ['i need a plan', 'task.deep-object deep'],
    ['搭建一个网站', 'task.build deep'],
    ['服务器挂了，看看怎么回事', 'task.symptom deep'],
    ['服务器又挂了你帮我看看', 'task.symptom deep'],
    ['先查天气，然后写邮件，最后发给我', 'task.steps deep'],
    ['first read it, then write it', 'task.steps deep'],
    ['research the market and write a report', 'task.steps deep'],
  ])('%j is work: %s', (text, rule) => {
    expect(shown(text)).toBe(rule)
  })

  it.each([
    '怎么写诗',
    'who wrote it',
    'plan b',
    '设计师是谁',
    '查一下天气',
    '做',
    'make',
    '写的不错',
    'the design is good',
    '今天天气怎么样',
  ])('%j is none', (text) => {
    expect(shown(text)).toBe('none')
  })

  it('two things to be told are no work, three are steps', () => {
    expect(shown('查一下天气，再查一下新闻')).toBe('none')
    expect(shown('查一下天气，再查一下新闻，然后查一下股票')).toBe('task.steps deep')
  })

  it('of several tasks the deep one counts', () => {
    expect(shown('写一首诗。重构登录模块')).toBe('task.deep-keyword deep')
  })
})
