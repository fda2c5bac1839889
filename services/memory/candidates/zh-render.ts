// A Chinese clause in the third person: 我家在绍兴 is 苏禾家在绍兴.
import type { Verdict } from './message.ts'
import { subject } from './zh-words.ts'

const closing = /(?:[啦哈呢哦吧呀啊喽咯嘛哟噢]|的(?=$)|～|~|!|！|。){1,6}$/u
const opening = /^(?:大家|你们?|您)?(?:以后|今后|从现在起|从今往后|往后|从现在开始|请|麻烦)[，,]?/u

/** 搬到了嘉定 is where somebody lives. */
const toHome = (said: string): string =>
  said.replace(
    /(?:去年|今年|上个?月|上周|刚刚?|最近|早就|已经|前年)?(?:年)?[底初]?(?:搬家?|定居)(?:到|去|来|至|进)了?(?=[\u4e00-\u9fff]{2})/u,
    '住在',
  )

export function renderHan(given: string, verdict: Verdict, speaker: string, isGroup: boolean): string {
  const clause = verdict.topic === 'home' ? toHome(given) : given
  const said = clause.replace(closing, '').replace(/(?<=[^不为])了$/u, '')
  if (verdict.topic === 'style') {
    if (/叫我|喊我|称呼我/u.test(said)) return `${speaker}希望${said.replace(/我/gu, '他').replace('他', speaker)}`
    return `${speaker}希望${said
      .replace(opening, '')
      .replaceAll(/(?<=回复|回答|答复|给|跟|对)我/gu, '')
      .replaceAll('我', speaker)}`
  }
  const [head = ''] = subject.exec(said) ?? []
  if (head === '') {
    const isOwn =
      verdict.category === 'preference' ||
      verdict.category === 'todo' ||
      !/^(?:decision|rule|thing)$/u.test(verdict.topic)
    return isOwn && !said.includes('我') ? `${speaker}${said}` : said.replaceAll('我', speaker)
  }
  const rest = said.slice(head.length).replaceAll(/我们?/gu, speaker)
  if (verdict.topic === 'rule' && /们|组|群|咱/u.test(head)) return rest
  return `${toThird(head, speaker, isGroup)}${rest}`
}

function toThird(head: string, speaker: string, isGroup: boolean): string {
  if (/家/u.test(head)) return `${speaker}家`
  if (head === '自己') return speaker
  if (head === '我的' || head === '俺的') return `${speaker}的`
  if (/组|团队|部门|公司|班|群/u.test(head)) return `${head.replace(/^我们|^咱们?/u, '')}里`
  if (/们|咱/u.test(head)) return isGroup ? '大家' : speaker
  return speaker
}
