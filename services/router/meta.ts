// Tells a clause about the bot itself, its memory, its settings or its current work. By structure: "you" or "your" with a
// noun of the bot's own state, or "why" with what it did; for the rest by configured patterns. General knowledge is none.
import { anyOf, compilePattern } from './pattern-source.ts'
import type { RoutingConfig } from './patterns.ts'
import type { NormalText } from './normalise.ts'
import { formsOf } from './grammar.ts'

const grammar = formsOf('meta')

// What makes "you" a mere address: a request, a guess, an opinion.
const address =
  /(?:能不能|能否|可不可以|可以|想|要|希望|麻烦|需要|让|劳烦|请)?你(?:能不能|能否|可不可以|可以|能|来|先|再|就|给我|帮我?|替我|觉得|认为|看|猜|推荐|建议|知道(?!我)|听说过?)+(?!用|使用|调用|记|存|忘|支持|访问|联网|有)|(?<![a-z])(?:can|could|would|will|do|did) you (?:please )?(?=tell|show|explain|help|give|say|check|list|describe|think|suggest|recommend|know(?! me| my| about me)|write|make|find|look|summari|guess|mind)|(?<![a-z])do you (?:think|suggest|recommend|feel|know(?! me| my| about me))/gu
const bare =
  /你(?:现在|目前|一共|总共|到底|究竟|平时|具体|其实|最多|今天|刚刚|刚才|都|还|自己|到|这个月|本月|这周|今年|这几天|这边|那边|那里|这里|这)+/gu
const has =
  '(?:是|有|用|在用|使用|能用|会用|可用|开|开启|开了|支持|处于|在|是在|存|记|保存|记录|保留|剩|跑|调用|切|换|消耗|花|属于|能调用|接|接入|查到|看到)'

/** Builds the test for one message. */
export function createMetaFinder(config: RoutingConfig): (message: NormalText) => boolean {
  const patterns = config.meta.map(compilePattern)
  const noun = anyOf(config.selfNouns)
  const structures = [
    `(?:你|您)的 ?(?:[^\\s的你我他她]{1,5}的)?${noun}`,
    `(?:你|您)(?:会|能|都|可以)*(?:记|存|忘|保存|保留|删|记录|学)(?:了|住|到|着|过|下|得|掉|不住)*(?:我|我们|关于我|哪些|多少|什么)`,
    `(?:你|您)(?:这个)? ?${noun}(?=是|叫|还|有|多|怎|会|能|在|多大|多长|吗|$)`,
    `(?:你|您) ?(?:能|会|可以|要|都|对我|的|正)*${has}(?:的|了|着|过|不|没有?|多少|哪些|哪个|哪种|哪|几个|几种|几|什么样的|什么|些|个|啥|到|我的|我|关于|是| )*${noun}`,
    `(?<![a-z])your (?!average|typical|local|own )(?:[a-z-]+ ){0,3}?${noun}`,
    `(?<![a-z])(?:what|which|how (?:much|many|big|large|long)) (?:[a-z-]+ ){0,2}?${noun} (?:[a-z-]+ ){0,2}?(?:do|are|can|have|did|were|does) you (?!recommend|suggest|think|need|want|prefer)`,
    `(?<![a-z])(?:do|did|are|have|can|does) you (?:[a-z]+ ){0,2}?(?:have|use|using|used|in|on|run|running|support|keep|store|need|got|save|access|out of)(?: [a-z]+){0,3}? ${noun}(?! for| in | to |-)`,
    `(?:我的?|本月|今天|今日|这个月|现在|目前|一共|总共|已经|还)+(?:剩|用|有|花|能用?|可以用|消耗)*(?:了|下|的|余|掉)*(?:多少|几个?|没)? ?(?:额度|配额|用量|tokens?|预算|次数)`,
    `(?<![a-z])(?:my|our|remaining) (?:[a-z]+ ){0,2}?(?:quota|usage|tokens?|token usage|limit|allowance|daily limit|settings)(?![a-z])`,
  ].map((source) => new RegExp(source, 'u'))

  return (message) =>
    message.clauses.some(({ text, question }) => {
      const plain = text.replace(bare, '你')
      if (patterns.some((fits) => fits(plain) || (plain !== text && fits(text)))) return true
      if (question && (grammar.enAsked.test(plain) || (grammar.zhAsked.test(plain) && !grammar.supposed.test(plain))))
        return true
      const own = plain.replace(address, '')
      return (grammar.secondPerson.test(own) && grammar.why.test(own)) || structures.some((fits) => fits.test(own))
    })
}
