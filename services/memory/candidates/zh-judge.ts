// What a Chinese clause says, if it is worth keeping: its subject, time, adverbs, negation and modal verb are read off its head, one after the other;
// what is left begins with its verb.
import type { Category } from './message.ts'
import * as words from './zh-words.ts'

export type HanVerdict = { readonly category: Category; readonly topic: string }
type Who = 'self' | 'home' | 'own' | 'group' | 'thing' | 'none'

export type HanFrame = {
  readonly who: Who
  readonly subject: string
  /** A thing or a person of the speaker: 女儿, 工位. */
  readonly noun: string
  readonly isNegated: boolean
  readonly modal: string
  readonly hasTime: boolean
  readonly rest: string
}

const mostSteps = 14
const topicFirst =
  /^([\u4e00-\u9fff]{1,5}?)(?=我(?:们|家)?(?:最|就|都|也|很|特别|只|不|爱|喜欢|讨厌|平时|一般|从|来|负责|每))/u

export function toHanFrame(clause: string): HanFrame {
  // 团建我最喜欢爬山: what it is about stands first.
  const [, about = ''] = topicFirst.exec(clause) ?? []
  let rest = clause.slice(about.length)
  let [subject, modal] = ['', '']
  let [isNegated, hasTime] = [false, false]
  for (let n = 0; n < mostSteps; n += 1) {
    const take = (pattern: RegExp): string => {
      const [found = ''] = pattern.exec(rest) ?? []
      rest = rest.slice(found.length)
      return found
    }
    if (words.liking.test(rest) || words.placed.test(rest)) break
    if (subject === '' && (subject = take(words.subject)) !== '') {
      if (/的$|家$/u.test(subject)) break
      continue
    }
    if (take(words.time) !== '') hasTime = true
    else if (take(words.adverb) !== '') continue
    else if (take(words.negation) !== '') isNegated = true
    else if (modal === '' && (modal = take(words.modal)) !== '') continue
    else break
  }
  const owned = subject === '' ? '' : findOwned(rest)
  return {
    who: whoOf(subject, owned, rest, clause),
    subject,
    noun: owned,
    isNegated,
    modal,
    hasTime,
    rest: rest.slice(owned.length),
  }
}

function findOwned(rest: string): string {
  const bare = rest.replace(/^的|^家(?:的|里的?)?/u, '')
  const taken = rest.length - bare.length
  const relative = words.kin.find((word) => bare.startsWith(word))
  if (relative !== undefined) return rest.slice(0, taken + relative.length)
  const [thing = ''] =
    /^[\u4e00-\u9fffA-Za-z]{0,5}?(?=是|在|叫|的?号码|有|用|每|周|改|到|[\d一二三四五六七八九十]|就)/u.exec(bare) ?? []
  return thing !== '' && words.ownThing.test(thing) ? rest.slice(0, taken + thing.length) : ''
}

function whoOf(subject: string, owned: string, rest: string, clause: string): Who {
  if (subject === '')
    return rest === clause && !beginsWithVerb(rest) ? 'thing' : beginsWithVerb(rest) ? 'none' : 'thing'
  if (owned !== '') return 'own'
  if (/家$|家里$/u.test(subject)) return 'home'
  return /们|组|咱|团队|部门|公司|班|群/u.test(subject) ? 'group' : 'self'
}

const beginsWithVerb = (rest: string): boolean =>
  [words.liking, words.job, words.placed, words.home].some((verb) => verb.test(rest)) ||
  /^(?:有|养|叫|是|对.{1,6}过敏|用|骑|坐|属)/u.test(rest) ||
  words.deed.exec(rest)?.index === 0

export function judgeHan(
  clause: string,
  place: { readonly isGroup: boolean; readonly explicit: boolean },
): HanVerdict | undefined {
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
  return judgeFact(frame, clause, place)
}

const pleased: HanVerdict = { category: 'preference', topic: 'style' }

/** How somebody wants to be called, answered and served. */
function judgeHanStyle(clause: string): HanVerdict | undefined {
  if (
    /(?:大家|你们?|您|以后|可以|请|就|都)?(?:直接)?(?:叫|喊|称呼?)我(?!去|来|起|吃|开|一声|回|做|干|帮|给|怎|什|的|们|妈|爸|过|下|上|出|别|说)[^，。]{1,10}/u.test(
      clause,
    ) &&
    !/^(?:他|她|我妈|我爸|老板)/u.test(clause)
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
    (isStanding || /不用|别|不要|都|尽量|先.+再|就(?:好|行)|一律|要(?!是)|用/u.test(clause)) &&
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
  return /^我(?:希望|想要|更想|要求|喜欢)(?:你|您)(?:的)?(?:回|说|用|直接|别|不要|先|叫|给|讲|简)/u.test(clause)
    ? pleased
    : undefined
}

/** What must be or may not be. Said of oneself it is a limit, or a deed. */
function judgeRule({ who, modal, rest }: HanFrame, clause: string): HanVerdict | undefined {
  const rule: HanVerdict = { category: 'constraint', topic: 'rule' }
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
function judgeDeed({ who, modal, rest, isNegated }: HanFrame, clause: string): HanVerdict | undefined {
  const todo: HanVerdict = { category: 'todo', topic: 'todo' }
  if (isNegated && !/还没/u.test(clause)) return undefined
  if (/^(?:todo|待办|要做的?事?)[：: ]?/iu.test(clause)) return todo
  const [deadline] = words.deadline.exec(clause) ?? []
  const isDeed = words.deed.test(rest)
  if (
    /(?:我来|我去|我负责|由我|归我|交给我|我接|我包了|包在我身上)/u.test(clause) &&
    !/^我来自|我负责(?:的|.{0,8}(?:组|部|块|区|环境|业务))/u.test(clause)
  ) {
    return deadline !== undefined || (/我来[^自]|由我|归我|交给我|我接/u.test(clause) && isDeed) ? todo : undefined
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

function judgeLike({ who, rest, noun, isNegated, hasTime }: HanFrame, clause: string): HanVerdict | undefined {
  const liked: HanVerdict = { category: 'preference', topic: 'like' }
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
  if (/了$/u.test(object) && /太|可/u.test(clause)) return undefined
  return noun === '' || who === 'own' ? liked : undefined
}

const fact = (topic: string): HanVerdict => ({ category: 'fact', topic })

function judgeFact(
  frame: HanFrame,
  clause: string,
  place: { readonly isGroup: boolean; readonly explicit: boolean },
): HanVerdict | undefined {
  const { who, rest, isNegated } = frame
  if (/对.{1,10}过敏|不耐受|色盲|左撇子|近视/u.test(clause) && who !== 'thing') return fact('health')
  if (who === 'own') return judgeOwned(frame, clause)
  if (who === 'thing') return judgeThing(frame, clause, place)
  if (who === 'home' && /^(?:在|住|有|养|离|是|没|租|开|里|那边|一共|两|三|四|五)/u.test(rest))
    return fact(/^(?:在|住|离)/u.test(rest) ? 'home' : 'have')
  if (who === 'group') return judgeOurs(rest, clause, place.isGroup)
  if (
    /^(?:名字)?叫(?!了|车|外卖|人|个|住|醒|不|好|什|你|他|她|它|苦|停|上)|^姓|^(?:英文|中文)?名(?:字)?(?:是|叫)|^大名|^笔名/u.test(
      rest,
    )
  )
    return fact('name')
  if (/^是/u.test(rest)) return judgeBeing(rest.slice(1), who, isNegated)
  if (words.home.test(rest)) return isNegated ? undefined : fact('home')
  if (words.placed.test(rest)) return fact('job')
  if (/^(?:有|养了?|家里?(?:有|养))/u.test(rest) || /^(?:没有?|家里?没)/u.test(clause.replace(words.subject, '')))
    return judgeHaving(rest)
  if (
    /^属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|^(?:今年)?(?:[\d一二三四五六七八九十]{1,3})岁|^(?:已婚|单身|离异|离婚|退休了?|失业|已经?结婚|结婚(?!证|照).{0,6}年)/u.test(
      rest,
    )
  )
    return fact('trait')
  if (
    words.repeated.test(clause) &&
    rest.length > 1 &&
    !(isNegated && rest.length < 3) &&
    !/^(?:觉得|想|会|没|很|好|都)/u.test(rest)
  )
    return fact('schedule')
  if (/^(?:用|开|骑|坐|穿|戴)(?:的|着)?(?:是)?/u.test(rest) && !/一下|过|了$|完|试/u.test(rest) && rest.length > 2)
    return isNegated && who !== 'self' ? undefined : fact('have')
  if (/^会(?:说|弹|开车|游泳|做|讲|拉|用|编程|手语|[一二三]门)/u.test(clause.replace(words.subject, '')))
    return fact('skill')
  if (
    words.job.test(rest) &&
    !/[了过完着](?:[^解]|$)|一下|不完|不下|不好$/u.test(rest) &&
    rest.length > 2 &&
    !isNegated
  )
    return fact('job')
  if (/(?:刚|已经?|上个?月|去年|今年|这个月).{0,6}(?:换|搬|入职|转|生了|结婚|买了|领养|毕业|退休)/u.test(clause))
    return fact('changed')
  if (
    words.deadline.test(clause) &&
    /入职|离职|结婚|毕业|开学|出差|退休|搬家|休产假|办婚礼|考试|休假|放假|回国|出国/u.test(rest)
  )
    return fact('plan')
  return place.explicit && who === 'self' ? fact('said') : undefined
}

function judgeBeing(what: string, who: Who, isNegated: boolean): HanVerdict | undefined {
  if (
    /^(?:说|想|觉得|认为|指|问|真|怕|来|不|因为|要|在|为了|这|那|谁|你|他|她|可以|第一次|从|认真|开玩笑|故意|无辜|对的|错的|有|被|猪|傻|笨|天才|废物|打工人|社畜|吃货)/u.test(
      what,
    )
  )
    return undefined
  if (who !== 'self' || what.length < 2) return undefined
  return isNegated ? undefined : fact(/人$/u.test(what) ? 'home' : 'job')
}

function judgeHaving(rest: string): HanVerdict | undefined {
  const what = rest.replace(/^(?:家里?)?(?:没有|没|有|养)了?/u, '')
  if (
    /问题|^(?:个|件|一件|点)?(?:事|想法|疑问|主意|建议|请求|感觉|预感)|^(?:点|空|时间|人|必要|道理|意思|可能|机会|兴趣|信心|办法|急事|些|趣|用|效|关|一点|几点|课$|会$|约$|没有)/u.test(
      what,
    ) ||
    what.length < 2
  )
    return undefined
  if (/^没/u.test(rest))
    return /车|孩子|驾照|烤箱|电视|电梯|阳台|院子|空调|冰箱|洗碗机|洗衣机|暖气|网|打印机|兄弟|姐妹|宠物/u.test(what)
      ? fact('have')
      : undefined
  return fact('have')
}

function judgeOwned({ noun, rest, subject }: HanFrame, clause: string): HanVerdict | undefined {
  if (rest === '' || words.passingThing.test(`${subject}${noun}`)) return undefined
  if (/^(?:说|想|让|问|觉得|叫我|给我|催|骂|又|也?不|没|很|太|好|真|快|坏|丢|死|疼|哭|病|醒|睡)/u.test(rest))
    return undefined
  return fact(/^(?:大名|小名|叫|名字|名)/u.test(rest) ? 'name' : noun.replace(/^的/u, '')) &&
    /是|在|叫|名|属|有|上|读|念|住|今年|岁|学|对|[\d一二三四五六七八九十]|做|当|教|用|到期|截止|改|放|停|工作|上班|负责|管|属于|离|靠|后天|下周|下个?月|月|养|最/u.test(
      rest,
    )
    ? fact(noun.replace(/^的/u, ''))
    : clause.length > 5 && words.repeated.test(clause)
      ? fact('schedule')
      : undefined
}

/** 我们, 我们组: what the group does; at home what the household is. */
function judgeOurs(rest: string, clause: string, isGroup: boolean): HanVerdict | undefined {
  if (words.repeated.test(clause) || /点|月.{1,3}[号日]|(?:周|星期)[一二三四五六日]/u.test(clause))
    return /^(?:去|吃|玩|见|约|聚)/u.test(rest) && !words.repeated.test(clause) ? undefined : fact('schedule')
  if (
    /^(?:在|有|用|是|做|住|养|叫|一共|共|主要|负责|的?.{1,6}(?:是|在|叫|用|放在|改))/u.test(rest) &&
    !/^(?:是不|是想|有问题|有点|在想|在讨论|在聊|在等|在开|在吃|有事|有人)/u.test(rest)
  )
    return fact('ours')
  return isGroup && /^(?:从不|不(?!知|会吧|是|太|怎|想|急|敢|够|行|好))/u.test(clause.replace(words.subject, ''))
    ? { category: 'constraint', topic: 'rule' }
    : undefined
}

/** A thing: facts of the group in a group, and one's own dates. */
function judgeThing(
  { rest, hasTime }: HanFrame,
  clause: string,
  place: { readonly isGroup: boolean; readonly explicit: boolean },
): HanVerdict | undefined {
  if (/^(?:他|她|它|你|您|这|那|有人|别人|人家)/u.test(rest) && !place.explicit) return undefined
  const isTimed =
    words.repeated.test(clause) ||
    words.deadline.test(clause) ||
    /[\d一二三四五六七八九十两]{1,3}(?:点|[:：]\d\d|楼|层|号|室)/u.test(clause)
  const isSaid = /是|在|改|推|放|到|每|统一|由|归|用|叫|开|定|提前|延/u.test(clause)
  if (place.explicit) return fact('thing')
  if (place.isGroup && words.groupNoun.test(clause) && isTimed && isSaid) return fact('thing')
  if (
    !place.isGroup &&
    /^(?:租约|合同|签证|护照|驾照|保险|会员|婚礼|预产期|生日|结婚纪念日|工位|名字|英文名|大名|网名|老家|家里?)/u.test(
      rest,
    ) &&
    (isTimed || /是|在|叫|有|养/u.test(clause))
  )
    return fact('thing')
  return hasTime && /入职|结婚|毕业|开学|搬家|退休/u.test(rest) && isTimed ? fact('plan') : undefined
}
