// What a Chinese clause states as so: names, homes, work, family, possessions, hours and dates.
import type { Place, Verdict } from './message.ts'
import type { HanFrame, HanWho } from './zh-frame.ts'
import * as words from './zh-words.ts'

const fact = (topic: string): Verdict => ({ category: 'fact', topic })

export function judgeHanFact(frame: HanFrame, clause: string, place: Place): Verdict | undefined {
  const { who, rest, isNegated } = frame
  if (/对.{1,10}过敏|不耐受|色盲|左撇子|近视/u.test(clause) && who !== 'thing') return fact('health')
  if (/我/u.test(clause) && /(?:生日|纪念日|忌日|婚礼)$/u.test(clause) && /\d|[一二三四五六七八九十]/u.test(clause))
    return fact('date')
  if (who === 'own') return judgeOwned(frame, clause)
  if (who === 'thing') return judgeThing(frame, clause, place)
  if (who === 'home' && /^(?:在|住|有|养|离|是|没|租|开|里|那边|一共|两|三|四|五)/u.test(rest))
    return fact(/^(?:在|住|离)/u.test(rest) ? 'home' : 'have')
  if (who === 'group') return judgeOurs(rest, clause, place.isGroup)
  if (
    /^(?:名字)?叫(?!了|车|外卖|人|个|住|醒|不|好|什|你|他|她|它|苦|停|上)|^姓|^(?:英文|中文|本|真|全)?名(?:字)?(?:是|叫)|^大名|^笔名/u.test(
      rest,
    )
  )
    return fact('name')
  if (rest.startsWith('是')) return judgeBeing(rest.slice(1), who, isNegated)
  if (/^在.{0,10}(?:[\d一二三四五六七八九十]{1,3})(?:楼|层|栋|区|室|号楼|单元)$/u.test(rest)) return fact('home')
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
  return judgeHabit(frame, clause, place)
}

/** What somebody does again and again, uses, can do or has taken up. */
function judgeHabit({ who, rest, isNegated }: HanFrame, clause: string, place: Place): Verdict | undefined {
  if (
    words.repeated.test(clause) &&
    rest.length > 1 &&
    !(isNegated && rest.length < 3) &&
    !/^(?:觉得|想|会|没|很|好|都)/u.test(rest)
  )
    return fact('schedule')
  if (
    isNegated &&
    /^(?:坐|看|抽|接|用|买|打(?=牌|麻将|游戏)|碰|玩|熬夜|加班)/u.test(rest) &&
    rest.length > 1 &&
    !/懂|清|到|见|起|完|了/u.test(rest)
  )
    return { category: 'preference', topic: 'like' }
  if (/^(?:用|开|骑|坐|穿|戴)(?:的|着)?(?:是)?/u.test(rest) && !/一下|过|了$|完|试/u.test(rest) && rest.length > 2)
    return isNegated && who !== 'self' ? undefined : fact('have')
  if (/^会(?:说|弹|开车|游泳|做|讲|拉|用|编程|手语|[一二三]门)/u.test(clause.replace(words.subject, '')))
    return fact('skill')
  if (
    words.job.test(rest) &&
    !/[了过完着](?:[^解]|$)|一下|不完|不下|不好$/u.test(rest) &&
    rest.length > 2 &&
    !isNegated &&
    !/得(?:真|很|好|不错|太|挺)/u.test(rest)
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

function judgeBeing(what: string, who: HanWho, isNegated: boolean): Verdict | undefined {
  if (
    /^(?:说|想|觉得|认为|指|问|真|怕|来|不|因为|要|在|为了|这|那|谁|你|他|她|可以|第一次|从|认真|开玩笑|故意|无辜|对的|错的|有|被|猪|傻|笨|天才|废物|打工人|社畜|吃货)/u.test(
      what,
    )
  )
    return undefined
  if (who !== 'self' || what.length < 2) return undefined
  return isNegated ? undefined : fact(what.endsWith('人') ? 'home' : 'job')
}

function judgeHaving(rest: string): Verdict | undefined {
  const what = rest.replace(/^(?:家里?)?(?:没有|没|有|养)了?/u, '')
  if (
    /问题|^(?:个|件|一件|点)?(?:事|想法|疑问|主意|建议|请求|感觉|预感)|^(?:点|空|时间|人|必要|道理|意思|可能|机会|兴趣|信心|办法|急事|些|趣|用|效|关|一点|几点|课$|会$|约$|没有)/u.test(
      what,
    ) ||
    what.length < 2
  )
    return undefined
  if (rest.startsWith('没'))
    return /车|孩子|驾照|烤箱|电视|电梯|阳台|院子|空调|冰箱|洗碗机|洗衣机|暖气|网|打印机|兄弟|姐妹|宠物/u.test(what)
      ? fact('have')
      : undefined
  return fact('have')
}

function judgeOwned({ noun, rest, subject }: HanFrame, clause: string): Verdict | undefined {
  if (rest === '' || words.passingThing.test(`${subject}${noun}`)) return undefined
  if (/^(?:说|想|让|问|觉得|叫我|给我|催|骂|又|也?不|没|很|太|好|真|快|坏|丢|死|疼|哭|病|醒|睡)/u.test(rest))
    return undefined
  return fact(/^(?:大名|小名|叫|名字|名)/u.test(rest) ? 'name' : noun.replace(/^的/u, '')) &&
    /是|在|叫|姓|名|属|有|上|读|念|住|今年|岁|学|对|[\d一二三四五六七八九十]|做|当|教|用|到期|截止|改|放|停|工作|上班|负责|管|属于|离|靠|后天|下周|下个?月|月|养|最/u.test(
      rest,
    )
    ? fact(noun.replace(/^的/u, ''))
    : clause.length > 5 && words.repeated.test(clause)
      ? fact('schedule')
      : undefined
}

/** 我们, 我们组: what the group does; at home what the household is. */
function judgeOurs(rest: string, clause: string, isGroup: boolean): Verdict | undefined {
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
function judgeThing({ rest, hasTime }: HanFrame, clause: string, place: Place): Verdict | undefined {
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
