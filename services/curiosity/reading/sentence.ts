// Where a quotation of the bot's stands: word for word, in an answer that is looked at.
import { bot, type Dialogue } from '#services/curiosity/gaps/dialogue.ts'

/** `at`: the turn that says it. `sentence`: the whole of it, where a part is quoted. */
export type FoundSentence = { readonly at: number; readonly sentence: string }

const fewestSigns = 4
/** Who quotes half an answer says nothing about one sentence. */
const mostSentences = 2
const mostChars = 400

export function findSentence(
  quote: string,
  { dialogue: { turns }, from }: { readonly dialogue: Pick<Dialogue, 'turns'>; readonly from: number },
): FoundSentence | undefined {
  const wanted = toPlain(quote)
  if ([...wanted].length < fewestSigns) return undefined
  for (const [at, { who, text }] of turns.entries()) {
    if (at < from || who !== bot) continue
    const plain = toPlain(text)
    const start = plain.indexOf(wanted)
    if (start < 0) continue
    const within = toSentences(plain).filter(({ begin, end }) => begin < start + wanted.length && end > start)
    const sentence = within.map(({ said }) => said).join(' ')
    return within.length > mostSentences || sentence.length > mostChars ? undefined : { at, sentence }
  }
  return undefined
}

/** White space and curly marks are no words. */
const toPlain = (text: string): string =>
  text
    .replaceAll(/[\s\u00a0]+/gu, ' ')
    .replaceAll(/[’‘]/gu, "'")
    .replaceAll(/[“”]/gu, '"')
    .trim()

type Sentence = { readonly said: string; readonly begin: number; readonly end: number }

/** The first 6,000 characters count. */
export function toSentences(text: string): readonly Sentence[] {
  let begin = 0
  return text
    .slice(0, 6000)
    .split(/(?<=[.!?]) |(?<=[。！？])/u)
    .map((said) => {
      const start = text.indexOf(said, begin)
      begin = start + said.length
      return { said: said.trim(), begin: start, end: begin }
    })
}
