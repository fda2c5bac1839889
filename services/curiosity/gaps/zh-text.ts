// Chinese answers cut into sentences and clauses, and the noun phrase of what somebody asked for.
import { withoutLeads } from './words.ts'

const mostSentences = 24
const mostClauses = 16

export function toSentences(text: string): readonly string[] {
  return text
    .replaceAll(/[ \t\u3000]{1,40}/gu, ' ')
    .split(/(?<=[。！？!?\n])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(0, mostSentences)
}

/** Parts between commas, colons and semicolons, without words that only lead in. */
export function toClauses(sentence: string): readonly string[] {
  return sentence
    .replace(/[。！？!?]{1,9}$/u, '')
    .split(/[，,；;：:（）()]|——/u)
    .map(bare)
    .filter((clause) => clause !== '')
    .slice(0, mostClauses)
}

const bare = (clause: string): string =>
  clause
    .trim()
    .replace(
      /^(?:但是?|不过|只是|另外|还有|而且|所以|因为|由于|至于|关于|对于|可是|然后|其中|同时|此外|而|且|那|就是|一是|二是|三是|其余|另|虽然|尽管|可(?!以|能|是|惜|爱|选|用|见)|如果不知道)(?=.{2})/u,
      '',
    )
    .trim()

/** Without what speaks of the bot itself, and without endings that ask nothing. */
export function toMatter(text: string): string {
  return withoutAsking(text.trim())
    .replace(
      /^(?:我(?:这边|这里|们|自己)?|也|还|都|就|又|并|目前|暂时|具体|到底|究竟|关于|对于|至于|这边)(?=.{2})/u,
      '',
    )
    .replace(/(?:我(?:这边|这里|们|自己)?|这一点|这点|这个|这处|这块|也|都|还|上|上也|上都|这边)$/u, '')
    .replace(/(?:了|(?<!还是.{0,10}|是.{1,4})的|呢|吧|啊)$/u, '')
    .replace(/^(?:的|了|是(?!不是|否)|到|过)/u, '')
    .trim()
}

/** 几点熄灯物业口径是十点半, 每班多长时间我比着上学期定的: who says it or took it is no part of the question. */
export function withoutTellers(clause: string): string {
  const found =
    /(?:几|多[少久长大]|哪|谁|不\p{Script=Han}).{0,6}?(?=(?:我(?:是|就|先|暂)?(?:按|照|比着|比照|参照|依|估|猜|写|定|取|用|当|填|选)|(?:你们?|大家|群里|物业|资料|合同|表上|图上|.{2,4}口径|.{2,4}说).{0,8}(?:说|提|写|定|口径|讲|按|是)))/u.exec(
      clause,
    )
  const plain = found ? clause.slice(0, found.index + found[0].length) : clause
  return plain.replace(/(?:差别|区别|差异|关系|影响)(?:很|较|挺)?(?:大|多)$/u, '')
}

/** 适不适合你们班 has no subject: it stands in the clause before, 讨论题我出了三道. */
export function withTopic(matter: string, before: string | undefined): string {
  const isHeadless =
    /^(?:(\p{Script=Han})不\1|是否|能否|有没有|会不会|要不要|算不算|是|适不|合不|够不|好不|在|放)/u.test(matter)
  if (!isHeadless || before === undefined) return matter
  const [, topic] =
    /^(.{2,10}?)(?:我|有|写|出|是|放|没|还|都|已|选|用|挑|定|做|按|给|配|取|整|全|共|每|约)/u.exec(before) ?? []
  return topic === undefined || /几|多|什么|哪|谁|怎|不/u.test(topic) ? matter : topic + matter
}

/** 一次能进几个人得问厂务: whom to ask is no part of the matter. */
function withoutAsking(text: string): string {
  const found = /(?:得|要|需要|只能|还得)(?:问|找|等)/u.exec(text)
  return found && found.index > 1 && !/[不几谁哪多]/u.test(text.slice(found.index)) ? text.slice(0, found.index) : text
}

const polite =
  /^(?:(?:你好|您好|嗨|hi|hello|请问|请|麻烦(?:你|您)?|劳驾|能不能|可不可以|可以|能|帮忙|帮我们?|帮|给我们?|替我们?|我们?(?:想|要|打算|需要)|想|要|需要|来)[，, ]?)/iu
const making =
  /(?:写|做|排|出|整理|拟|列|起草|设计|备|配|编|改|订|定|弄|搞|建|翻译|翻|润色|算|统计|推荐|挑|选|找|买|办(?!公|理|事)|起|想|安排|计划|规划|策划|准备|缩|压|看|查|记)(?:一下(?:下(?!周|个|月|学))?|下(?!周|个|月|学)|出|好|个|几个|成)?(?:(?:一|两|几|三)?(?:份|个|张|版|封|篇|节|段|套|条|首|双|台|款|部|本|次|些|道))?(?:的)?/u

/** 周会说明 from 给新来的同事写一份周会说明. Undefined where it names nothing. */
export function toTask(request: string): string | undefined {
  const said = request.replaceAll(/@\S{1,40}|https?:\/\/\S{1,200}|「[^」]{0,400}」/gu, ' ').trim()
  const first =
    said
      .split(/[，,。！？!?；;：:\n]/u)
      .find((part) => [...part.trim()].length > 2)
      ?.trim() ?? ''
  const plain = withoutLeads(first, polite)
  const [, object] =
    /^(?:.{0,6}?)把(?:下面)?(.{2,16}?)(?:做|写(?!作)|改|整理|翻|压|缩|排|润色|统计|总结|列|弄|理一|算一|发给|发到|转成|转给)/u.exec(
      plain,
    ) ?? []
  if (object !== undefined) return toShort(object)
  const found = making.exec(plain)
  if (!found) return toShort(plain)
  const after = plain.slice(found.index + found[0].length)
  const before = plain.slice(0, found.index).replace(/^(?:给|为|替|帮)/u, '')
  return [...after].length >= 2 ? toShort(after) : toShort(before)
}

function toShort(text: string): string | undefined {
  const noun = text
    .replace(/^(?:的|了|下|一下)/u, '')
    .replace(/(?:拉|理|来|发|出|列|排|写|做|整|弄|搞|起|编|定|画|拟)(?:一下|一个|一版|一份|一稿|一张|一条|下|个)$/u, '')
    .replace(/(?:吧|呗|吗|呢|啊|了|用|上班|怎么(?:写|做|回|办)|做啥|好|啥|什么好|什么)$/u, '')
    .trim()
  const signs = [...noun]
  if (/什么|怎么|多少|哪|啥|我|^(?:这|那|跟|和|有)/u.test(noun)) return undefined
  return signs.length < 2 ? undefined : signs.slice(0, 14).join('')
}
