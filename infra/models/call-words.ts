// Whether the words around a call that a model wrote as text let it act. A call that a text only shows, quotes or explains does not. Pure.

const mostBefore = 600
const mostBehind = 300
const mostAbove = 16_000

/** Words of examples, of forms, and of what others said or wrote. */
const ofExamples =
  /\bexamples?\b|\binstance\b|\bsuch as\b|\be\.\s?g\.|\bi\.\s?e\.|looks? like|\blike (?:this|so|that)\b|\bthis way\b|\bsamples?\b|\bsnippet|\bdemo(?:nstrat\w{1,5})?\b|\billustrat|\bplaceholder|\bhypothetical|\bformat(?:s|ted)?\b|\bsyntax\b|\btemplates?\b|\bnever (?:do|run|call|use|write|send)\b|\b(?:do not|don['’]t|must not|should not|shouldn['’]t) (?:do|run|call|use|write|send|execute)\b|\ba (?:\w{1,20} )?(?:tool|function) call (?:is|looks?|would|can|has)\b/i
const ofOthers =
  /\btranslat(?:ion|es?|ed)\b|\bsummary (?:of|:)|\bsummar(?:y|ized|ised)\s{0,4}:|\bquot(?:e[sd]?|ation|ing)\b|\bexcerpt|\btranscript|\bverbatim\b|\b(?:user|page|site|website|article|author|document|file|post|e?-?mail|message|comment|text|result|source|model|prompt|instructions?|he|she|they|it) (?:wrote|writes?|sa(?:id|ys?)|reads?|states?|contains?|shows?|goes)\b|\baccording to\b/i
const inChinese =
  /例子|例如|比如|举例|示例|范例|样例|譬如|如下|格式|语法|模板|演示|占位|像这样|这样(?:写|调用)|这么写|调用(?:方法|方式)|切勿|千万别|(?:不要|别|请勿)(?:这样|这么|运行|调用|执行|使用|写)|翻译|译文|摘要|概要|原文|引用|引述|摘录|(?:用户|网页|页面|文章|作者|文档|邮件|消息|对方|他|她|他们|文中)(?:写|说|提到|显示|包含)|(?:网页|页面|文章|邮件|文档|原文)(?:的)?内容|总结\s{0,4}[:：]/

const speaksOf = (words: string): boolean => ofExamples.test(words) || ofOthers.test(words) || inChinese.test(words)

/** What ends a sentence, also behind a quotation, an emphasis or an emoji. */
const sentenceEnd = /[.!?…。！？～~][)"'”’」』）*_\s\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Mn}\p{Cf}]{0,16}$/u
const listMark = /^\s{0,40}(?:[-*+•]|\d{1,3}[.)、])\s{0,8}$/

/** What the model says that it does now, at the beginning of a sentence or of a part of it. */
const doing =
  /(?:^|[,，;；:：、–—-]\s{0,4}|\b(?:and|so|then|first|now|next|sure|ok|okay|yes|certainly|great)\s{1,4})(?:let me|let['’]?s|let us|i['’]ll|i will|i(?:['’]m| am) (?:going to|about to)|i(?:['’]d| would) (?:need|have|like) to|i (?:need|have|want|should|must|can)(?: to)?|we(?:['’]ll| will| need to| should))\s{1,4}(?:(?:now|first|just|quickly|go ahead and|try to|then|also|quick(?:ly)?|please|have a|take a|do a)\s{1,4}){0,3}(?:look|check|search|find|get|fetch|call|use|run|set|create|add|calculate|compute|do|see|read|open|make|save|store|remember|note|cancel|update|delete|remove|try|query|retrieve|remind|schedule|start|list|send|browse|help|invoke|verify|work|figure|pull|gather|consult|ask|begin|proceed|change|count|execute|load|download|look)\b/i
const doingAlready =
  /(?:^|[,，;；]\s{0,4}|\b(?:while|and|so) )i(?:['’]m| am)? (?:now )?(?:look|check|search|find|fetch|add|calculat|comput|sett|sav|gett|creat|updat|cancel|load)(?:l?ing)? (?:it|this|that|them|the|your|for|up|into|now)\b/i
const doingNow =
  /(?:^|[,，;；!！.。]\s{0,4})(?:one moment|just a (?:moment|second|sec)|hold on|give me a (?:moment|second|sec))\b/i
const doingInChinese =
  /(?:^|[,，;；:：、\s])(?:(?:那|那么|现在|首先|接下来|接着|下面){0,2}(?:我们?(?:来|先|这就|现在|马上|立即|立刻|将|会|去|要|正在|需要|得|再|就)|让我们?|容我|我|马上|正在|这就)[^，,。:：]{0,6}?(?:查|看|找|搜|算|读|取|调用|用|设|建|加|记|存|改|删|试|打开|获取|执行|运行|更新|确认|了解|检|提醒|安排|处理|发|列|帮)|(?:请|您|你)?稍[等候]|等一下)/

/** Whether the words before a call let it act: none, or a whole sentence of the model's own, or what it says that it does now. */
export function mayActAfter(before: string): boolean {
  const words = before.slice(-mostBefore)
  if (words.trim() === '') return true
  if (isTalkBefore(before)) return false
  return sentenceEnd.test(words) || (saysDoing(words) && !(isInLine(words) && endsOpen.test(words)))
}
const isInLine = (words: string): boolean => !/[\n:：]\s{0,8}$/.test(words)
/** A sentence that the call itself would end. */
const endsOpen =
  /(?:\b(?:use|call|run|invoke|execute|try|send|write|do|with|by|as|the|an?|tool|function)|用|运行|执行|工具|函数)\s{0,8}$/i

/** Whether words before speak of a call, or quote one: of an example, of others' words, in a quotation, or behind a colon that announces no deed. */
export function isTalkBefore(before: string): boolean {
  const words = before.slice(-mostBefore)
  if (words.trim() === '') return false
  if (speaksOf(words) || isQuoting(words) || hasHeading(before)) return true
  const line = words.slice(words.lastIndexOf('\n') + 1)
  return listMark.test(line) || (/[:：][*_\s]{0,8}$/.test(words) && !saysDoing(words))
}

/** Whether a line further up announces others' words, or an example: all that follows may belong to it. */
const hasHeading = (before: string): boolean =>
  before
    .slice(-mostAbove)
    .split('\n')
    .some((line) => /[:：][*_\s]{0,8}$/.test(line.slice(-300)) && speaksOf(line.slice(-300)))

/** Whether words behind say that it was an example. What a model makes up of results says nothing. */
export const isTalkBehind = (behind: string): boolean =>
  /^\s{0,8}[\p{L}(（"“*_]/u.test(behind) &&
  (ofExamples.test(behind.slice(0, mostBehind)) || inChinese.test(behind.slice(0, mostBehind)))

function saysDoing(words: string): boolean {
  const sentence =
    words
      .trimEnd()
      .split(/[.!?…。！？](?=\s|\p{Lo}|$)|\n/u)
      .findLast((one) => /[\p{L}\d]/u.test(one)) ?? ''
  const bare = sentence.replace(/^[\s*_#]{0,16}/, '').slice(-200)
  return doing.test(bare) || doingAlready.test(bare) || doingNow.test(bare) || doingInChinese.test(bare)
}

/** Whether the call stands in a line of a quotation, right behind one, or within quotation marks that are open. */
function isQuoting(words: string): boolean {
  const trimmed = words.trimEnd()
  const paragraph = trimmed.slice(trimmed.lastIndexOf('\n\n') + 1)
  const lines = words.split('\n')
  const last = lines.at(-1) ?? ''
  if (/^\s{0,8}>/.test(last) || (last.trim() === '' && /^\s{0,8}>/.test(lines.at(-2) ?? ''))) return true
  const count = (sign: string): number => paragraph.split(sign).length - 1
  return (
    [
      ['“', '”'],
      ['「', '」'],
      ['『', '』'],
      ['«', '»'],
    ].some(([opens = '', closes = '']) => count(opens) > count(closes)) || count('"') % 2 === 1
  )
}
