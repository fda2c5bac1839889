// What a Chinese clause says, if it is worth keeping: whether it is settled, how somebody wants to be served, what must be, what is to be done, what
// pleases, what is so.
import type { Place, Verdict } from './message.ts'
import { judgeHanFact } from './zh-facts.ts'
import { toHanFrame, type HanFrame } from './zh-frame.ts'
import * as words from './zh-words.ts'

export function judgeHan(clause: string, place: Place): Verdict | undefined {
  if (words.asking.test(clause) && !/谁[都也]|什么[都也]/u.test(clause)) return undefined
  const isSettled = words.settledWords.test(clause)
  if (words.unsure.test(clause) || words.outsiders.test(clause)) return undefined
  if (words.past.test(clause) && !/现在|改|不了$/u.test(clause)) return undefined
  if (isSettled) return words.unsettled.test(clause) ? undefined : { category: 'decision', topic: 'decision' }
  const style = judgeHanStyle(clause)
  if (style) return style
  const frame = toHanFrame(clause)
  if (
    words.passing.test(clause) &&
    !words.repeated.test(clause) &&
    !place.explicit &&
    !/^(?:今天|上个?月|上周)?搬/u.test(frame.rest)
  )
    return undefined
  const ruled = judgeRule(frame, clause)
  if (ruled) return ruled
  const owed = judgeDeed(frame, clause)
  if (owed) return owed
  const liked = judgeLike(frame, clause)
  if (liked) return liked
  return judgeHanFact(frame, clause, place)
}

const pleased: Verdict = { category: 'preference', topic: 'style' }

/** How somebody wants to be called, answered and served. */
function judgeHanStyle(clause: string): Verdict | undefined {
  if (
    /(?:大家|你们?|您|以后|可以|请|就|都)?(?:直接)?(?:叫|喊|称呼?)我(?!去|来|起|吃|开|一声|回|做|干|帮|给|怎|什|的|们|妈|爸|过|下|上|出|别|说)[^，。]{1,10}/u.test(
      clause,
    ) &&
    !/^(?:他|她|我妈|我爸|老板)/u.test(clause)
  )
    return pleased
  if (
    /^(?:请|以后)?(?:别|不要|少|不用)(?:再|老|总)?(?:给我|跟我|对我)?(?:推荐|叫我|用|发|放|加|安排|讲|说)(?!这|了|话|一下|啦|完)/u.test(
      clause,
    ) &&
    (/给我|跟我|对我|推荐/u.test(clause) || isForGood(clause))
  )
    return pleased
  const isTalk =
    /^(?:请)?(?:跟|和|对|给)我(?:说话|讲话|聊|讲|说|解释|回复|回|发|看|写|列|推荐|的)|^(?:请)?(?:回答|回复|回我|答复|称呼|解释|讲解|说话|写代码|列|推荐)/u.test(
      clause,
    )
  const isStanding = words.fromNowOn.test(clause)
  const asks = /(?:一律|统一|都|请|要|别|不要|不用|用|先|只|尽量|直接|就好|就行|即可|少|多)/u.test(clause)
  if (
    isTalk &&
    (isStanding || /不用|别|不要|都|尽量|先.{1,12}再|就(?:好|行)|一律|要(?!是)|用/u.test(clause)) &&
    !/这(?:段|篇|次|个|封)|那(?:段|篇)|上面/u.test(clause)
  )
    return pleased
  if (
    isStanding &&
    asks &&
    words.style.test(clause) &&
    words.styleVerb.test(clause) &&
    !/周报|日报|会议|报销|考勤/u.test(clause)
  )
    return pleased
  return /^我(?:希望|想要|更想|要求|喜欢)(?:你|您)(?!的|刚|这|那)(?:回|说|用|直接|别|不要|先|叫|给|讲|简)/u.test(clause)
    ? pleased
    : undefined
}

const isForGood = (clause: string): boolean => words.fromNowOn.test(clause) && words.style.test(clause)

/** What must be or may not be. Said of oneself it is a limit, or a deed. */
function judgeRule({ who, modal, rest }: HanFrame, clause: string): Verdict | undefined {
  const rule: Verdict = { category: 'constraint', topic: 'rule' }
  if (!words.ruling.test(clause)) return undefined
  if (/吃|喝(?!酒开车)/u.test(rest) && who !== 'thing') return undefined
  if (who === 'self' || who === 'none') {
    if (/^(?:必须|务必|必须得)$/u.test(modal)) return undefined
    return /最多|至少|只能|不能超过|不超过|上限|最晚|最迟|不接受/u.test(clause)
      ? rule
      : who === 'none' && !words.liking.test(rest)
        ? rule
        : undefined
  }
  return rule
}

/** What the speaker has to do: by a day, or one of the deeds that are never done at once. */
function judgeDeed({ who, modal, rest, isNegated }: HanFrame, clause: string): Verdict | undefined {
  const todo: Verdict = { category: 'todo', topic: 'todo' }
  if (isNegated && !/还没/u.test(clause)) return undefined
  if (/^(?:todo|待办|要做的?事?)[：: ]?/iu.test(clause)) return todo
  const [deadline] = words.deadline.exec(clause) ?? []
  const isDeed = words.deed.test(rest)
  if (
    /(?:我来|我去|我负责|由我|归我|交给我|我接|我包了|包在我身上)/u.test(clause) &&
    !/^我来自|我负责(?:的|.{0,8}(?:组|部|块|区|环境|业务))/u.test(clause)
  ) {
    return deadline !== undefined ||
      /归我|包在我/u.test(clause) ||
      (/我来[^自]|由我|归我|交给我|我接/u.test(clause) && isDeed)
      ? todo
      : undefined
  }
  const isOwed =
    /^(?:必须得|必须|还得|还要|还需要|需要|得|要|应该|务必)$/u.test(modal) ||
    /(?:还没|要|得|必须)(?=.{0,8}(?:交|寄|办|还|订|续|缴|付|提交|完成|预约|报名|换|买|写|改|发|送|搬|去|给|把))/u.test(
      clause,
    )
  if (!isOwed || !isDeed || (who !== 'self' && who !== 'none' && who !== 'thing' && who !== 'group')) return undefined
  if (words.repeated.test(clause)) return { category: 'fact', topic: 'schedule' }
  if (who === 'thing' && !(deadline !== undefined && /前/u.test(deadline))) return undefined
  if (deadline !== undefined) return todo
  return /^(?:还得|还要|还需要|必须|得|需要)$/u.test(modal) &&
    /交|寄|办|还|续|缴|报名|预约|体检|提交|补|换/u.test(rest) &&
    rest.length > 3
    ? todo
    : undefined
}

function judgeLike({ who, rest, noun, isNegated, hasTime }: HanFrame, clause: string): Verdict | undefined {
  const liked: Verdict = { category: 'preference', topic: 'like' }
  if (who === 'thing' || (who === 'group' && /爱|烦/u.test(rest.charAt(0)))) return undefined
  const said = rest.replace(/^(?:都|也|最|很|特别|超|不|就|比较|从小|一直|更|挺){1,4}/u, '')
  const [verb] = words.liking.exec(said) ?? []
  if (verb === undefined) return undefined
  const object = said.slice(verb.length)
  const isFood = /^[吃喝]/u.test(verb)
  if (
    isFood &&
    !isNegated &&
    !/素|辣|清淡|甜|咸|酸|无糖|不加|只|生冷|得(?:清淡|辣|咸|很)|全|早|两顿|一顿/u.test(clause)
  )
    return hasTime && words.repeated.test(clause) ? { category: 'fact', topic: 'schedule' } : undefined
  if (
    words.pointing.test(object) ||
    (object === '' && verb.length < 2) ||
    (object === '' && /喜欢|爱|烦/u.test(verb))
  ) {
    // 香菜我不喜欢 names its object first.
    return undefined
  }
  if (object.endsWith('了') && /太|可/u.test(clause)) return undefined
  return noun === '' || who === 'own' ? liked : undefined
}
