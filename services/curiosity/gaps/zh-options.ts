// Options among which a Chinese answer hesitates, or which it proposed: 在饺子和年糕之间犹豫, 两版：一版活泼，一版稳重.
import type { Doubt } from './dialogue.ts'
import { depends, evaluative, hesitates, interrogative, judging, leftAlone, unknown } from './zh-frames.ts'
import { toClauses, toMatter, withTopic } from './zh-text.ts'
import { askEmbedded, isEither } from './zh-values.ts'

export type Choice = { readonly at: number; readonly doubt: Doubt }

const between =
  /(?:在|是)?([^，,。在是]{1,12}?)(?:和|与|跟|、)([^，,。]{1,12}?)(?:两(?:样|种|个|者|版)?)?(?:之间|中间|里)/u
const listing =
  /([两二三四几]|多)(?:种|个|版|款|条|套|份|样|处|类|组|列)([^：:。，,]{0,10})(?:[：:]|，(?=一))(.{3,120})$/u
/** 可以做灯谜、赏月，或者包月饼: ways of which none is taken. */
const could =
  /^(?:可以|能|不妨|要么|或者|建议)(?:先)?(?:选|考虑|搞|去|玩|做|办|安排|试试)(.{2,40}?(?:、|，)(?:或者?|要么)?.{2,24})$/u
/** 图纸上标的是米白，会上说的是浅灰，两边不一样. */
const told =
  /(?:标|写|说|记|填|列|给|报|用|定|刻|印|显示)(?:的|着)?(?:是|成|为)([^，,。的是]{1,10})，(?:但|而|可|不过)?[^，,。]{2,16}?(?:标|写|说|记|填|列|给|报|用|定|刻|印|显示)(?:的|着)?(?:是|成|为)([^，,。的是]{1,10})(?=，|$|。)/u
const or = /([^，,。：:是选要]{1,12})还是([^，,。]{1,12})/u

export function findChoices(sentences: readonly string[]): readonly Choice[] {
  const found: Choice[] = []
  for (const [at, said] of sentences.entries()) {
    if (leftAlone.test(said) || /[？?]$/u.test(said)) continue
    const own = optionsOf(said)
    const next = sentences[at + 1] ?? ''
    const isTorn = own.isSplit === true || hesitates.test(said) || depends.test(said)
    if (
      own.options.length > 1 &&
      !isTorn &&
      !hesitates.test(next) &&
      !depends.test(next) &&
      !unknown.test(next) &&
      own.isOffer
    ) {
      found.push({ at, doubt: toDoubt(own, said, { isOffer: true }) })
      continue
    }
    if (!isTorn) continue
    // 音译成 Yunshan 还是意译成 Spruce is asked as it stands.
    const clause = toClauses(said).find((one) => isEither(one) && [...one].length < 40)
    if (clause !== undefined && own.noun === '' && !/之间/u.test(said)) {
      const matter = toMatter(clause.replace(unknown, ''))
      found.push({ at, doubt: { ...askEmbedded(matter), about: matter, premise: said, assumed: '', said } })
      continue
    }
    const options = own.options.length > 1 ? own : optionsOf(sentences[at - 1] ?? '')
    const on = toDependency(said)
    // What it hangs on is a choice itself: 写吃的多还是写日常多.
    if (on?.includes('还是') === true) {
      found.push({ at, doubt: { ...askEmbedded(on), about: on, premise: said, assumed: '', said } })
      continue
    }
    if (options.options.length > 1) found.push({ at, doubt: toDoubt(options, said, { on, isOffer: false }) })
    else if (on !== undefined && interrogative.test(on)) {
      const asked = askEmbedded(on)
      const kind = evaluative.test(on) && judging.test(said) ? 'judgement' : asked.kind
      found.push({ at, doubt: { ...asked, kind, about: on, premise: said, assumed: '', said } })
    }
  }
  return found
}

type Options = {
  readonly options: readonly string[]
  readonly noun: string
  readonly isOffer: boolean
  /** Two sources say different things. */
  readonly isSplit?: boolean
}

function optionsOf(said: string): Options {
  const [, one, other] = between.exec(said) ?? []
  if (one !== undefined && other !== undefined && hesitates.test(said)) {
    const [, noun = ''] = /^(.{2,8}?)(?:我|还)?在/u.exec(said) ?? []
    return { options: [one, other].map(toOption), noun, isOffer: false }
  }
  const [, , noun = '', list] = listing.exec(said) ?? []
  if (list !== undefined) {
    const titles = [...list.matchAll(/[“《]([^”》]{1,20})[”》]/gu)].map(([, title = '']) => title)
    const options = titles.length > 1 && titles.length < 6 ? titles : toOptions(list)
    const isOffer =
      /(?:备|想|拟|起|推荐|可选)了?[两二三四五几](?:样|条|个|种|版|款|组|套|首|处)|方向|配色|活动|白天|晚上|节目|曲目|菜单|方案|点子|想法|建议|思路|备选|选择|名字|标题|主题|路线|地方|游戏|版|款|选项|题目|口号|去处/u.test(
        said.slice(0, said.length - list.length),
      )
    if (options.length > 1) return { options, noun: '', isOffer: isOffer && noun.length < 10 }
  }
  const quoted = [...new Set([...said.matchAll(/[“《]([^”》]{1,14})[”》]/gu)].map(([, title = '']) => title))]
  if (
    quoted.length > 1 &&
    quoted.length < 6 &&
    /或者?“|或者?《|(?:你们?|您|随你)(?:来)?(?:挑|选|定)|[里中](?:挑|选)一?个?[。！]?$/u.test(said)
  )
    return { options: quoted, noun: '', isOffer: true }
  // 《良宵》三分多钟，温润；《赛马》短，提气.
  const titled = said.split('；').map((part) => /^[“《]([^”》]{1,14})[”》]/u.exec(part.trim())?.[1])
  const heads = titled.filter((title) => title !== undefined)
  if (heads.length > 1 && heads.length === titled.length && heads.length < 6)
    return { options: heads, noun: '', isOffer: true }
  const [, offered] = could.exec(said.replace(/[。！]$/u, '')) ?? []
  if (offered !== undefined && /、|或|要么/u.test(offered)) {
    const options = toOptions(offered)
    if (options.length > 1) return { options, noun: '', isOffer: true }
  }
  const [, stated, counter] = /我(?:用|跟|取|采|按|照|以)|不一样|不一致|对不上|不同|打架|矛盾|有出入/u.test(said)
    ? (told.exec(said) ?? [])
    : []
  if (stated !== undefined && counter !== undefined)
    return {
      options: [stated, counter].map(toOption),
      noun: toMatter(/^([^，,。]{2,8}?)(?:图纸|文件|合同|表|上次|群里|邮件|说明|通知|方案)/u.exec(said)?.[1] ?? ''),
      isOffer: false,
      isSplit: true,
    }
  const [, left, right] = hesitates.test(said) ? (or.exec(said) ?? []) : []
  if (left !== undefined && right !== undefined)
    return { options: [left, right].map(toOption), noun: '', isOffer: false }
  return { options: [], noun: '', isOffer: false }
}

/** The head of a list: what follows "but" or a doubt is no option. */
function toOptions(list: string): readonly string[] {
  const parts: string[] = []
  // 墨绿配旧金，像老戏院；砖红加米白，热闹些: each begins with its name.
  const heads = list.split('；').map((part) => toOption(part.split(/[，,]/u, 1)[0] ?? ''))
  if (heads.length > 1 && heads.length < 6 && heads.every((head) => head !== '' && [...head].length < 15)) return heads
  for (const part of list
    .replace(/[。！]$/u, '')
    .split(/[，,、；;]|以及|或者|或(?!许)|和(?=《|真|一|另)|(?<=》)和|(?<=》)(?=《)/u)) {
    const option = toOption(part)
    if (option === '') continue
    if (
      unknown.test(part) ||
      interrogative.test(part) ||
      /^(?:不过|但|我|先|要看|看你|都)/u.test(part.trim()) ||
      [...option].length > 14
    )
      break
    parts.push(option)
  }
  return parts.length < 7 ? parts : []
}

const toOption = (part: string): string =>
  part
    .trim()
    .replace(
      /^(?:一版是?|一种是?|一个是?|一条是?|一套是?|一款是?|一份是?|一是|二是|和|或者?|另一[版种个款]是?|我|都)/u,
      '',
    )
    .replace(/(?:的|了|之间|都行|都可以)$/u, '')
    .trim()

function toDependency(said: string): string | undefined {
  const clauses = toClauses(said)
  for (const [at, clause] of clauses.entries()) {
    const found = depends.exec(clause)
    if (!found) continue
    const matter = toMatter(clause.slice(found.index + found[0].length))
    if (interrogative.test(matter)) return /你|您/u.test(found[0]) && !matter.startsWith('你') ? `你${matter}` : matter
    // 好不好听终归看你们的感觉: what is asked stands before it.
    const before = toMatter(clause.slice(0, found.index).replace(/(?:终归|终究|最终|还是|主要|得|要|全){1,3}$/u, ''))
    if (interrogative.test(before)) return withTopic(before, clauses[at - 1])
    if ([...matter].length > 2) return /你|您/u.test(found[0]) ? `你${matter}` : matter
  }
  // 办公室能不能插电我说不好: what the choice hangs on.
  for (const clause of clauses) {
    const mark = unknown.exec(clause)
    const before = mark ? toMatter(clause.slice(0, mark.index)) : ''
    if (interrogative.test(before) && !/哪|更合适/u.test(before)) return before
  }
  return undefined
}

function toDoubt(
  { options, noun }: Options,
  said: string,
  { on, isOffer }: { readonly on?: string | undefined; readonly isOffer: boolean },
): Doubt {
  const list = `${options.slice(0, -1).join('、')}还是${options.at(-1) ?? ''}`
  const isAsked = on !== undefined && interrogative.test(on)
  const given = on === undefined ? '' : isAsked ? `${on}，` : `看${on}，`
  return {
    ask: `${given}${noun}选${list}？`,
    kind: 'choice',
    options,
    about: `${options.join(' ')} ${noun} ${on ?? ''}`,
    premise: isOffer ? '' : said,
    assumed: '',
    said,
  }
}
