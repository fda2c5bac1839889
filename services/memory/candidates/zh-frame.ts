// A Chinese clause, read from its head: subject, time, adverbs, negation and modal verb are taken off one after the other; what is left begins with
// its verb.
import * as words from './zh-words.ts'

export type HanWho = 'self' | 'home' | 'own' | 'group' | 'thing' | 'none'

export type HanFrame = {
  readonly who: HanWho
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

function whoOf(subject: string, owned: string, rest: string, clause: string): HanWho {
  if (subject === '')
    return rest === clause && !beginsWithVerb(rest) ? 'thing' : beginsWithVerb(rest) ? 'none' : 'thing'
  if (owned !== '') return 'own'
  if (/家$|家里$/u.test(subject)) return 'home'
  return /们|组|咱|团队|部门|公司|班|群/u.test(subject) ? 'group' : 'self'
}

const beginsWithVerb = (rest: string): boolean =>
  [words.liking, words.job, words.placed, words.home].some((verb) => verb.test(rest)) ||
  /^(?:有|养|叫|是|对.{1,6}过敏|用|骑|坐|属|上|去|回|带|陪|接|送|做|练|跑|休|值|加)/u.test(rest) ||
  words.deed.exec(rest)?.index === 0
