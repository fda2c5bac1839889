// What a bot without hands, eyes, ears and tongue cannot do, as a question for an action: 能不能请你去档案室取？
import type { Doubt } from './dialogue.ts'
import { interrogative, unknown } from './zh-frames.ts'
import { toClauses, toMatter } from './zh-text.ts'

const deed =
  '(?:去|到|拍|打电话|打个电话|听|尝|闻|摸|量|称|扫描|扫|打印|登录|登|进|取|拿|跑|开门|敲门|试穿|试吃|试|数|看|查看|翻|现场|亲自|当面|签|寄|上门|对着|照着|核|敲|拆|打开|拧|揭|量|闻|盯|动手|穿上)'
const cannot = new RegExp(
  `(?:我|这边|机器人)?(?:也|是|又|自己|可)?(?:没法|没办法|无法|不能|没本事)(${deed}.{0,24})`,
  'u',
)
const complement =
  /(?:我|这边)?(?:也|是|又|自己)?((?:去|拍|打|听|尝|闻|摸|量|称|扫|登|进|取|拿|跑|看|试|数|翻)(?:电话)?)不(?:了|到|见|出来?|上|进去?|去|着)(?:电话|照片|现场|味道)?/u
const lacks = /(?:我|机器人)没(?:有)?(?:长)?(?:手|眼睛|耳朵|嘴|舌头|鼻子|腿|脚|相机|电话|账号|权限|钥匙)/u
const wish = new RegExp(
  `(?:得|要|需要|只能|最好|还得|必须)(?:有人|找人|谁|请人|人工?|你|您|麻烦你)(?:去|来|亲自|到现场|在现场|到那边|在那边)?(?:拿|用|带)?(?:尺子|卷尺|秤|手机|相机|手)?(?:去|来)?(${deed}.{0,24})`,
  'u',
)

/** 得敲一敲才清楚, 要打电话才知道. */
const until = new RegExp(
  `(?:得|要|需要|需|必须|只有|最好|还得)((?:给.{1,8}?)?${deed}.{0,10}?)(?:才|就)(?:能|会)?(?:知道|清楚|确定|看得出|看得清|有数|晓得|行|能定|明白)`,
  'u',
)

/** 到底漏在哪一段，得趴下去看. */
const bending =
  /^(?:得|要|必须|只能)((?:趴|爬|凑|走|下|上|拆|打开|到|去|跑).{0,6}(?:看|量|摸|试|数|听)(?:一下|看|一看)?)$/u

/** Undefined where the sentence needs nobody's hands. */
export function askHands(said: string): Doubt | undefined {
  if (/[？?]$/u.test(said)) return undefined
  const clauses = toClauses(said)
  for (const [at, clause] of clauses.entries()) {
    const deedUntil = until.exec(clause)?.[1]
    if (deedUntil !== undefined) return toUntil(clauses, at, deedUntil, said)
    const bent = at > 0 && interrogative.test(clauses[at - 1] ?? '') ? bending.exec(clause)?.[1] : undefined
    if (bent !== undefined) return toUntil(clauses, at, bent, said)
    const one = cannot.exec(clause)?.[1] ?? wish.exec(clause)?.[1]
    const short = one === undefined ? complement.exec(clause) : null
    const deedSaid = one ?? short?.[1]
    if (deedSaid === undefined || (lacks.test(clause) && one === undefined)) continue
    // 看不到 tells as often of something unknown as of something to be looked at.
    if (/^(?:看|查|翻|数|拿|听不)/u.test(deedSaid) && isUnknown(clauses, at, short)) continue
    const ask = toAsk(
      clauses,
      at,
      toMatter(deedSaid),
      short ? toMatter(clause.slice(0, short.index)) : objectOf(clause),
    )
    if (ask !== undefined) return { ask, kind: 'action', about: ask, premise: '', assumed: '', said }
  }
  return undefined
}

/** The question that the deed answers stands in the clauses before it, or before the deed itself. */
function toUntil(clauses: readonly string[], at: number, deedSaid: string, said: string): Doubt {
  const own = toMatter((clauses[at] ?? '').split(/得|要|需|必须|只有|最好/u, 1)[0] ?? '')
  const asked = interrogative.test(own) ? own : clauses.slice(0, at).findLast((clause) => interrogative.test(clause))
  const ask = `${asked === undefined ? '' : `${toMatter(asked)}，`}能不能请你${toMatter(deedSaid)}${/看|问|听/u.test(deedSaid) ? '' : '看看'}？`
  return { ask, kind: 'action', about: ask, premise: '', assumed: '', said }
}

function isUnknown(clauses: readonly string[], at: number, short: RegExpExecArray | null): boolean {
  const object = short ? toMatter((clauses[at] ?? '').slice(0, short.index)) : ''
  const isNamed = /型号|铭牌|实物|现场|屏幕|照片|标签|说明书|原件|表盘|读数|屋里|柜|墙|机身|包装/u.test(object)
  return !isNamed || clauses.some((clause, place) => place !== at && interrogative.test(clause) && unknown.test(clause))
}

const objectOf = (clause: string): string => toMatter(clause.split(/我|没法|没办法|无法|不能/u, 1)[0] ?? '')

function toAsk(clauses: readonly string[], at: number, deedSaid: string, object: string): string | undefined {
  const before = clauses[at - 1] ?? ''
  const asked = clauses.slice(0, at).findLast((clause) => interrogative.test(clause))
  const needed = clauses.slice(0, at).find((clause) => /要|得|需|实拍|原件|不通|不清|看不/u.test(clause)) ?? before
  const isShort = [...needed].length < 24 && needed !== '' && !/^(?:写|做|理|排|画|列|出|整)好|没有/u.test(needed)
  const context = isShort && (object === '' || !needed.includes(object)) ? `${needed.replace(/^我/u, '')}，` : ''
  const named = clauses.find((clause) => /照片|图片|实拍|录音|名字|型号|尺寸/u.test(clause)) ?? ''
  if (deedSaid.startsWith('拍')) {
    const what = object !== '' ? object : toMatter(deedSaid.replace(/^拍(?:照片?|一张|张|不了)?/u, ''))
    return `${what === '' ? context : ''}能不能请你拍一张${what === '' ? '' : `${what}的`}照片发过来？`
  }
  if (deedSaid.startsWith('打')) {
    const [, whom = ''] = /(?:给|问|找|打给)(.{2,10}?)(?:打|问|确认|，|$)/u.exec(clauses.join('，')) ?? []
    return `${context}能不能请你${whom === '' ? '' : `给${whom}`}打个电话问一下？`
  }
  if (object === '' && context === '' && [...deedSaid].length < 3) return undefined
  const detail =
    named !== '' && named !== clauses[at] && !context.includes(named) && [...named].length < 20 ? `${named}，` : ''
  if (/^(?:看|查看|听|尝|闻|摸|量|称|数|试|翻)/u.test(deedSaid)) {
    const verb = deedSaid.slice(0, 1)
    const what = object !== '' ? object : deedSaid.slice(1)
    return `${detail}${context}能不能请你${verb}一下${what}，把结果告诉我？`
  }
  if (asked !== undefined)
    return `${toMatter(asked)}，能不能请你${deedSaid}${deedSaid.includes(object) ? '' : object}看看？`
  return `${detail}${context}能不能请你${deedSaid}${object !== '' && !deedSaid.includes(object) && [...deedSaid].length < 4 ? object : ''}？`
}
