// Whether a reply to a card denies. All words do but a plain yes, and what begins with one and says no nowhere: these approve nothing either, and
// are told to press. When in doubt nothing is made. Pure.

export const denies = (words: string): boolean =>
  words !== '' && !isYes.test(words) && !((beginsWithYes.test(words) || thanks.test(words)) && !saysNo(words))

const isYes =
  /^(?:y|yes|yep|yeah|ok|okay|sure|fine|go|go ahead|do it|approved?|once|always|好|好的|好吧|可以|行|是|是的|对|同意|批准|没问题|确认)[.!。！]*$/i
const beginsWithYes = /^(?:yes|yep|yeah|ok|okay|sure|好的|好|可以|是的|同意|批准|没问题)[\s,.!;，。！；、]/i
const thanks = /^(?:好|好的|可以|行|是的|同意|批准|没问题)(?:谢谢|感谢|多谢|谢了|辛苦)/

const no = /\b(?:no|not|never|don['’]?t|stop|but)\b|但/i
/** Of words, since their signs stand in others that say no such thing: 特别 is "specially", 别 is "do not". */
const hanNo = /^[不别]/
const harmless = new Set(['别人', '别的', '不错', '不客气', '不急', '不好意思'])
const words = new Intl.Segmenter('zh', { granularity: 'word' })
const mostChars = 500

function saysNo(text: string): boolean {
  // 不用谢 and 不用客气 are words of thanks.
  const plain = text.slice(0, mostChars).replaceAll(/不用(?=谢|客气)/g, '')
  return (
    no.test(plain) || [...words.segment(plain)].some(({ segment }) => hanNo.test(segment) && !harmless.has(segment))
  )
}
