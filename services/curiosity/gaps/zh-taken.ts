// What a Chinese sentence took without knowing: 先写了 45 分钟, 人数是我猜的, 我按一年起草的; and conditions on which the answer would be another.
import { assumedAfter, assumedAround, assumedBefore, borrowed, empty, interrogative, unknown } from './zh-frames.ts'
import { toClauses, toMatter } from './zh-text.ts'
import { askEmbedded, askTaken, type Asked } from './zh-values.ts'

export type Found = {
  readonly asked: Asked
  readonly about: string
  readonly assumed?: string
  readonly isNoun?: boolean
}

/** Steps that follow each other: 第一周先做, 再. */
const sequence = /第[一二三四五六七八九十\d]{1,3}[天周步个]|再|然后|最后|首先/u

/** 按拍摄时间排 is no guess. */
const sorted = /(?:时间|顺序|先后|字母|拼音|笔画|大小|日期|次序)$/u

/** 这个数: it speaks of the clause before. */
const pointing = /^(?:这|那|它)(?:是|个|些|一?点|个?数|样|里)?$/u
const plain = /^(?:就|我|便|所以|只好)?(?:写成|写|填|按|用|取|定为|定|标|算|译成|排)(?:了|成|为|的|在){0,2}(.{1,16})$/u

export type Taken = {
  readonly topic: string
  readonly value: string
  readonly isOwn: boolean
  readonly isStrong: boolean
}

/** Values that were taken; `isOwn` where the clause names of what, `isStrong` where it says outright that it is a guess. */
export function readTaken(clauses: readonly string[], isPaired: boolean): readonly Taken[] {
  const found: Taken[] = []
  let verb = ''
  for (const [at, clause] of clauses.entries()) {
    const isMarked = unknown.test(clause) || empty.test(clause)
    const before = assumedBefore.exec(clause)
    const after = assumedAfter.exec(clause)
    const around = assumedAround.exec(clause)
    if (isMarked) continue
    // 往年初四开门，今年照搬: what is carried over stands in the clause before.
    if (/(?:照搬|照旧|沿用|如常|照例|照抄)(?:了)?$/u.test(clause) && at > 0) {
      const statement = toMatter(clauses[at - 1] ?? '').replace(/^(?:往年|去年|以前|上次|之前|历年)(?:都是?)?/u, '')
      found.push({ topic: statement, value: '照旧', isOwn: true, isStrong: true })
      continue
    }
    const mark = before ?? borrowed.exec(clause)
    if (mark && mark.index > 1) {
      const topic = toTopic(clause.slice(0, mark.index))
      if (pointing.test(topic)) continue
      found.push({ topic, value: '', isOwn: true, isStrong: before !== null })
      continue
    }
    if (around && !sequence.test(clause) && !sorted.test(around[1] ?? '')) {
      const own = toTopic(clause.slice(0, around.index))
      const topic = own === '' && !isPaired ? topicBefore(clauses[at - 1]) : own
      found.push({ topic, value: around[1] ?? '', isOwn: own !== '', isStrong: false })
      continue
    }
    const parallel =
      verb === ''
        ? null
        : new RegExp(`^(.{2,8}?)(?:我|也|就)?${verb}(?:了|的|成|为|在|是)?(.{1,20})$`, 'u').exec(clause)
    if (after && !sequence.test(clause) && !isAdvised(clause, after) && (isPaired || !isAdvice(clause, after))) {
      const isStrong = /假|默认|暂|猜|估|设想|推测|以为|先/u.test(after[0])
      const topic = toTopic(clause.slice(0, after.index))
      const value = toMatter(clause.slice(after.index + after[0].length))
      const last = found.at(-1)
      verb = /(?:写|放|定|填|排|选|算|按|用|假定|假设|默认)/u.exec(after[0])?.[0] ?? ''
      // 长度我是估的，先写了 21 米: the value of the topic before.
      if (topic === '' && last && last.value === '') found.splice(-1, 1, { ...last, value })
      else if (topic === '' && !isPaired)
        found.push({ topic: topicBefore(clauses[at - 1]), value, isOwn: false, isStrong })
      else found.push({ topic, value, isOwn: topic !== '', isStrong })
    } else if (parallel)
      found.push({ topic: toTopic(parallel[1] ?? ''), value: parallel[2] ?? '', isOwn: true, isStrong: true })
    else {
      // 没有数据，写成了 26 寸: the value for what is not known.
      const [, value] = isPaired ? (plain.exec(clause) ?? []) : []
      if (value !== undefined) found.push({ topic: '', value, isOwn: false, isStrong: false })
      verb = ''
    }
  }
  return found
}

/** 可以先按这个估, 别当作业布置. */
const isAdvised = (clause: string, mark: RegExpExecArray): boolean =>
  /可以|建议|请|不妨|别|不要|记得|务必|你先|您先|要先|应(?:该|当)?先/u.test(clause.slice(0, mark.index + 1))

/** 到货先放角落 is advice: nothing is said of the bot's own doing, and no value of a known sort is given. */
function isAdvice(clause: string, mark: RegExpExecArray): boolean {
  if (!mark[0].startsWith('先') || /我/u.test(clause)) return false
  const value = toMatter(clause.slice(mark.index + mark[0].length))
  const asked = askTaken(toTopic(clause.slice(0, mark.index)), value)
  return asked === undefined || asked.kind === 'yes-no'
}

/** 清单里暂时写的四分: where it stands is not what it is of. */
const container =
  /^(?:清单|表格?|图|稿子?|初稿|单子?|方案|文案|说明|通知|海报|行程|计划|草稿|文件|牌|纸|名单|日程)(?:里|上|中|里面)?$/u

const toTopic = (text: string): string => {
  const topic = toMatter(text.replace(/(?:我|就|都|也|还|这边|是|里|统一){1,4}$/u, '')).replace(/^(?:把|将)/u, '')
  return [...topic].length > 14 ||
    container.test(topic) ||
    /^(?:先|暂时?|暂且|姑且|只好|只能|就先|于是|所以)$/u.test(topic)
    ? ''
    : topic
}

function topicBefore(clause: string | undefined): string {
  // 做好了: what the bot did names nothing.
  if (/^(?:我)?(?:写|做|排|出|列|理|画|拟|订|改|算|弄|整理|安排|挑|选)(?:好|完|出来)了?$/u.test(clause ?? '')) return ''
  const topic = toMatter(clause ?? '')
  return [...topic].length > 8 || interrogative.test(topic) ? '' : topic
}

export function toTaken(topic: string, value: string): readonly Found[] {
  if (interrogative.test(value)) return [{ asked: askEmbedded(topic + value), about: `${topic} ${value}` }]
  const isStatement = /^.{0,8}(?:有|会|能|可以|要|在|是|不)/u.test(value) && [...value].length > 3 && !/\d/u.test(value)
  if (value === '照旧')
    return [{ asked: { ask: `今年还是${topic}吗？`, kind: 'yes-no' as const }, about: topic, assumed: topic }]
  const asked = isStatement ? { ask: `${topic}${value}，对吗？`, kind: 'yes-no' as const } : askTaken(topic, value)
  return asked ? [{ asked, about: `${topic} ${value}`, assumed: value || topic }] : []
}

/** 两处是我自己定的：踏勘放在第一周，人员写了三位. */
export function readListed(said: string): readonly Found[] {
  const [, list] =
    /(?:[两三几][处点个样件项]|有些|下面这些|以下)[^：:。]{0,12}(?:定|猜|估|假设|编|拿不准|没把握|默认|假定|不确定|自己)[^：:。]{0,8}[：:](.{4,160})$/u.exec(
      said,
    ) ?? []
  if (list === undefined) return []
  return toClauses(list).flatMap((clause) => {
    const [, topic = '', value = ''] =
      /^(.{2,10}?)(?:我)?(?:放在|写了|写成|写的|写|定在|定为|定了|定|按|用了?|排在|选了?|设为|设成|是|放|填了?|算)(.{1,20})$/u.exec(
        clause,
      ) ?? []
    return topic === '' ? [] : toTaken(topic, value)
  })
}

/** 奶奶的手机要是别的牌子，按钮位置会对不上; 有赤道仪的话曝光方案是另一套. */
export function readCondition(clauses: readonly string[]): readonly Found[] {
  return clauses.flatMap((clause, at): readonly Found[] => {
    const follows = `${clause} ${clauses[at + 1] ?? ''}`
    const [, topic = '', noun = ''] =
      /^(.{2,12}?)(?:要是|如果是?|假如|若是?|万一是?)(?:别的|不是这[个种款]|其他|另一[种个款]|换成别的)(.{1,6})$/u.exec(
        clause,
      ) ?? []
    if (topic !== '' && /会|要|得|就|不/u.test(clauses[at + 1] ?? ''))
      return [{ asked: { ask: `${topic}是什么${noun}？`, kind: 'words' as const }, about: `${topic} ${noun}` }]
    if (
      !/另一套|另一版|另外的|不一样|不同|得改|要改|重写|重排|重做|重算|换成|改成|改用|要换|得换|就得|才行|会变|更(?:合适|划算|快|好)/u.test(
        follows,
      )
    )
      return []
    const [, who = '', has = ''] =
      /^(?:要是|如果|假如|若是?|万一)?(你们?|您|[^，]{2,6}?)?有(.{2,10}?)(?:的话|就|，|$)/u.exec(clause) ?? []
    const isReal =
      /^(?:要是|如果|假如|若|万一)|的话/u.test(clause) && !/空|兴趣|需要|问题|时间|疑问|意见|什么|别的/u.test(has)
    if (has !== '' && isReal)
      return [{ asked: { ask: `${who === '' ? '你' : who}有没有${has}？`, kind: 'yes-no' as const }, about: has }]
    const [, condition = ''] = /^(?:要是|如果|假如|若是?|万一)(.{3,16}?)(?:的话)?$/u.exec(clause) ?? []
    if (!/另一|重[写排做算]|得改|要改|改成|改用|换成|得换|要换/u.test(follows)) return []
    if (condition === '' || /^(?:你|您)?(?:想|要|需要|喜欢|觉得|愿意|不|有空)|太|不够|下雨|没有?$/u.test(condition))
      return []
    return [
      { asked: { ask: `${condition.replace(/^是/u, '')}，是这样吗？`, kind: 'yes-no' as const }, about: condition },
    ]
  })
}

/** 预计来宾八十人，这个数是拍脑袋的; 工作年限写的五年，如果不是五年要改; “甲方代表”有两种译法，我挑了常用的一种. */
export function readDoubted(clauses: readonly string[]): readonly Found[] {
  return clauses.flatMap((clause, at): readonly Found[] => {
    const before = toMatter(clauses[at - 1] ?? '')
    const mark = assumedBefore.exec(clause)
    const isPointing = mark !== null && pointing.test(toMatter(clause.slice(0, mark.index)))
    const isConditional = /^(?:如果|要是|若|假如)不(?:是|对|准|合适)[^，]{0,8}(?:改|换|告诉|说一声|重)/u.test(clause)
    const isFit = [...before].length > 3 && [...before].length < 20 && !interrogative.test(before)
    if ((isPointing || isConditional) && isFit)
      return [{ asked: { ask: `${before}，对吗？`, kind: 'yes-no' }, about: before, assumed: before }]
    if (/不敢保证|不保证|不一定[对准]|未必[对准]|仅供参考|凭的是|全凭/u.test(clause)) {
      const written = clauses
        .slice(0, at)
        .map((one) => /^(.{2,8}?)我?(?:写|填|定|标|按|用|取|算)(?:的|了|成)(?:是)?(.{1,14})$/u.exec(one))
      const first = written.find((one) => one !== null)
      if (first) return toTaken(toMatter(first[1] ?? ''), first[2] ?? '')
    }
    const [, topic, ways] =
      /^(.{2,14}?)有[两三几](?:种|个)(译法|写法|叫法|算法|说法|做法|版本|走法|吃法|读法|选择)$/u.exec(clause) ?? []
    if (topic === undefined || ways === undefined || !/^我?(?:挑|选|用|取|按|跟)/u.test(clauses[at + 1] ?? ''))
      return []
    return [{ asked: { ask: `${topic}用哪种${ways}？`, kind: 'words' }, about: `${topic} ${ways}` }]
  })
}
