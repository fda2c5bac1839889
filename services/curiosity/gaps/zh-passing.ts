// What a Chinese sentence tells in passing: 民宿大多是这个点, 排的是临水间, 地点：____. No word of it says 不知道. Every pattern is bounded.
import type { Doubt } from './dialogue.ts'
import { interrogative } from './zh-frames.ts'
import { toClauses, toMatter } from './zh-text.ts'
import { askEmbedded, askNoun, askTaken } from './zh-values.ts'

/** 一般都是这个点, 大多这样. */
const asMost =
  /(?:大多|多半|大都|多数|大部分|大半|一般|通常|普遍|向来|市面上|同行|别家|人家|谁家)[^，,]{0,6}(?:这个?|这样|如此|这么|那个?|那样)(?:点|价|数|样|尺寸|规格|量|做法|时间|写|排|办|配|开|算|定)?的?$/u
/** 纸箱照两居室的常见量算了四十个. */
const byUsual =
  /^(.{2,10}?)(?:我|先|就)?(?:照|按|拿|依)[^，,]{0,10}(?:常见|一般|平均|通常|标准|惯常|普通|多数|往年|去年)[^，,]{0,6}?(?:算|写|填|定|排|估|报|备|留|配)(?:了|成|的是|为)?(.{1,14})$/u
/** 阁楼和临水间都放得下，排的是临水间. */
const bothFit =
  /([^，,。：:]{1,10}?)(?:和|与|跟|、)([^，,。：:]{1,10}?)(?:都|均|两边都|全都)[^，,。]{1,14}，(?:我)?(?:就|先|最后|暂时|暂)?(?:排|选|用|定|取|挑|写|放|订|安排|拿|走|报|填)(?:的)?(?:是|了)?/u
/** 午市晚市都空着，我先写的午市. */
const allFit =
  /(?:^|[，。：])([^，。：]{3,10})都[^，。]{1,8}，我(?:就|先|暂)?(?:写|放|排|选|用|定|取|填|订)(?:的是|的|了)?([^，。]{1,6})(?=[，。]|$)/u
/** 工具可走剪刀，也可走刻刀，教案走的是刻刀. */
const canBoth = /(?:可以?|能)(\p{Script=Han})([^，,。]{1,10})，(?:也|还|又)(?:可以?|能)\1([^，,。]{1,10})，/u
/** 地点：＿＿＿＿, 致辞：____. */
const blank =
  /([\p{Script=Han}]{2,12})(?:那[一]?[行栏格]|[一]?栏)?[：:]?[“”"「」 ]{0,3}(?:[_＿]{2}|…{2}|\.{4}|[-—─]{3}|×{2}|X{2})/u
/** 集合地点那一行目前是空格. */
const emptySlot =
  /^(.{2,12}?)(?:的)?(?:那|这)?(?:一)?(?:行|栏|格|处|项|列)?(?:目前|现在|暂时|还|只|先)?(?:是|为|只有|画了?|打了?|写了?|留了?)(?:个|一个|条|道|了)?(?:空格|空白|横线|问号|括号|省略号|“?待定”?|“?待补”?|“?不详”?)$/u
/** 上限多少，文档和外网都找过，没有. */
const inVain =
  /(?:翻|查|找|搜|问|看)(?:遍|过|了个遍|了一圈|了[^，,。]{2,10}?)了?[，,]?(?:也|都|还是|却|愣是)?(?:没有?|没找[到着]|没查到|没写|不见|没见|查无|没有?一处)/u
/** 哪锅更搭，得靠你的舌头. */
const bySense =
  /(?:得|要|只能|全|还)?(?:靠|凭|看|问|交给|等)(?:你|您|你们|大家)?(?:自己)?的?(?:舌头|耳朵|眼睛|鼻子|嘴|手感|口味|眼光|味觉|听感)/u

export function findPassing(said: string): readonly Doubt[] {
  const found =
    readBlank(said) ?? readSense(said) ?? readPair(said) ?? readVain(said) ?? readUsual(toClauses(said), said)
  return found === undefined ? [] : [found]
}

type Asked = Pick<Doubt, 'ask' | 'kind' | 'options'>
const toDoubt = (asked: Asked, about: string, said: string, assumed = ''): Doubt => ({
  ...asked,
  about,
  premise: said,
  assumed,
  said,
})

function readBlank(said: string): Doubt | undefined {
  const [, label] = blank.exec(said) ?? []
  const own =
    label ??
    toClauses(said)
      .map((clause) => emptySlot.exec(clause)?.[1])
      .find((one) => one !== undefined)
  if (own === undefined) return undefined
  const noun = toMatter(own)
  const asked = askNoun(noun, true)
  return asked && toDoubt(asked, noun, said)
}

function readSense(said: string): Doubt | undefined {
  const clauses = toClauses(said)
  const at = clauses.findIndex((clause) => bySense.test(clause))
  const matter = toMatter(clauses.slice(0, at).findLast((clause) => interrogative.test(clause)) ?? '')
  if (at < 1 || matter === '') return undefined
  return toDoubt({ ask: askEmbedded(matter).ask, kind: 'judgement' }, matter, said)
}

function readPair(said: string): Doubt | undefined {
  const [, one, other] = bothFit.exec(said) ?? []
  const [, verb = '', first, second] = one === undefined ? (canBoth.exec(said) ?? []) : []
  const [, all = '', taken = ''] = allFit.exec(said) ?? []
  const rest = taken === '' || !all.includes(taken) ? '' : all.replace(taken, '')
  const given = rest === '' ? [one ?? first, other ?? second] : [taken, rest]
  const options = given.flatMap((option) =>
    option === undefined ? [] : [toMatter(option).replace(/^[和与跟、]|[和与跟、]$/gu, '')],
  )
  if (options.length < 2 || options.some((option) => option === '' || [...option].length > 10)) return undefined
  const topic = toMatter(/^(.{2,8}?)(?:可以?|能)/u.exec(toClauses(said)[0] ?? '')?.[1] ?? '')
  const ask = `${topic}${verb === '' ? '选' : verb}${options.join('还是')}？`
  return toDoubt({ ask, kind: 'choice', options }, options.join(' '), said)
}

function readVain(said: string): Doubt | undefined {
  if (!inVain.test(said)) return undefined
  const clauses = toClauses(said)
  const at = clauses.findIndex((clause) => /(?:翻|查|找|搜|问|看)(?:遍|过|了)/u.test(clause))
  const matter = toMatter(clauses.slice(0, at).at(-1) ?? '')
  if (at < 1 || matter === '') return undefined
  const asked = interrogative.test(matter) ? askEmbedded(matter) : askNoun(matter)
  return asked && toDoubt(asked, matter, said)
}

function readUsual(clauses: readonly string[], said: string): Doubt | undefined {
  for (const [at, clause] of clauses.entries()) {
    const [, topic, value] = byUsual.exec(clause) ?? []
    if (topic !== undefined && value !== undefined) {
      const asked = askTaken(toMatter(topic), toMatter(value))
      if (asked) return toDoubt(asked, `${topic} ${value}`, said, value)
    }
    const statement = toMatter(clauses[at - 1] ?? '').replace(
      /^.{1,6}(?:那份|里|上)?(?:写|填|排|定|放|标)(?:的是|的|了|着)?/u,
      '',
    )
    if (asMost.test(clause) && [...statement].length > 2 && [...statement].length < 20)
      return toDoubt({ ask: `${statement}，对吗？`, kind: 'yes-no' }, statement, said, statement)
  }
  return undefined
}
