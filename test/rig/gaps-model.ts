// The fast model of curiosity, scripted by labelled dialogues: it recognises by the texts of a prompt which dialogues it is asked about, names the labelled
// gaps whose sentence stands there, misses every fifth label, and invents one question for each that it names. How its answer is judged it does not know.
import { z } from 'zod'
import { readingTask } from '#services/curiosity/reading/question.ts'
import type { Proposed, Reading } from '#services/curiosity/reading/answer-schema.ts'
import { askKinds } from '#shared/memory/asks.ts'
import { lastUserText, textOf, type CompletionRequest } from '#test/simulators/model/request.ts'
import { nearnessOf, overlapOf, type LabelledDialogue } from '#test/services/curiosity/score-gaps.ts'

const turn = z.object({ who: z.string(), said: z.string() })
const material = z.object({ people: z.array(z.string()), earlier: z.array(turn), now: z.array(turn) })
type Material = z.infer<typeof material>
type Label = LabelledDialogue['gaps'][number]

export type GapsModelOptions = {
  /** How somebody of a dialogue is called in prompts, where whoever plays it has another name; who speaks there under another name is found by that. */
  readonly nameOf?: (name: string, dialogue: LabelledDialogue) => string
  /** Every so many labels it misses one, the first time at this one; 5 unless given. */
  readonly missEvery?: number
}

/** A question as it was given, and of which dialogue. */
export type Given = { readonly dialogue: string; readonly ask: string; readonly to: string; readonly quote: string }

export type GapsModel = {
  /** The JSON text of its answer; undefined where the request asks something else. */
  answer(request: CompletionRequest): string | undefined
  /** For `decideBy` of the simulator. */
  decide(request: CompletionRequest): { readonly answer: { readonly kind: 'text'; readonly text: string } } | undefined
  /** All that it gave, in order. A label may be given by several prompts. */
  readonly found: readonly Given[]
  readonly invented: readonly Given[]
}

export function createGapsModel(dialogues: readonly LabelledDialogue[], options: GapsModelOptions = {}): GapsModel {
  const { missEvery = 5, nameOf } = options
  const labels = dialogues.flatMap((dialogue) => dialogue.gaps.map((gap) => ({ dialogue, gap })))
  const missed = new Set(labels.flatMap(({ gap }, at) => (at % missEvery === missEvery - 1 ? [gap] : [])))
  const [found, invented]: [Given[], Given[]] = [[], []]
  const answer = (request: CompletionRequest): string | undefined => {
    const read = readMaterial(request)
    if (!read) return undefined
    const ask = dialogues.flatMap((dialogue) => {
      const place = findPlace(dialogue, read)
      const toName = (name: string): string => nameOf?.(name, dialogue) ?? place.names.get(name) ?? name
      const named = dialogue.gaps.filter((gap) => !missed.has(gap) && isThere(gap, dialogue, place.sentences))
      return named.flatMap((gap, at) => {
        const label = toProposed(gap, toName(gap.to), findQuote(gap, dialogue, place.sentences))
        const other = invent(at, { dialogue, dialogues, asker: toName(gap.to), sentences: place.sentences })
        found.push({ dialogue: dialogue.id, ask: label.question, to: label.to, quote: label.quote })
        invented.push({ dialogue: dialogue.id, ask: other.question, to: other.to, quote: other.quote })
        return [label, other]
      })
    })
    const reading: Reading = { needed: [], known: [], findable: [], ask: ask.slice(0, 100) }
    return JSON.stringify(reading)
  }
  return {
    answer,
    decide(request) {
      const text = answer(request)
      return text === undefined ? undefined : { answer: { kind: 'text', text } }
    },
    found,
    invented,
  }
}

function readMaterial(request: CompletionRequest): Material | undefined {
  const isReading = request.messages.some((one) => textOf(one).startsWith(readingTask.slice(0, 60)))
  if (!isReading) return undefined
  const text = lastUserText(request)
  const [data = ''] = text.slice(text.indexOf('{')).split('\n', 1)
  return material.parse(JSON.parse(data))
}

type Place = {
  /** Sentences of the bot's answers that are looked at and stand in the dialogue. */
  readonly sentences: readonly string[]
  /** How those are called here who said what people of the dialogue say. */
  readonly names: ReadonlyMap<string, string>
}

function findPlace({ turns }: LabelledDialogue, { earlier, now }: Material): Place {
  const own = turns.filter(({ who }) => who === 'bot').map(({ text }) => text)
  const answers = now.filter(({ who }) => who === 'bot').map(({ said }) => said)
  const sentences = answers.flatMap((said) => (own.some((text) => isSame(said, text)) ? toSentences(said) : []))
  const names = new Map<string, string>()
  for (const { who, said } of [...earlier, ...now])
    for (const one of turns)
      if (one.who !== 'bot' && who !== 'bot' && isSame(said, one.text) && !names.has(one.who)) names.set(one.who, who)
  return { sentences, names }
}

const plain = (text: string): string => text.replaceAll(/@\S+|[\s\p{P}]/gu, '').toLowerCase()
/** Two texts of one sentence that were joined are the same as each of them. */
function isSame(said: string, text: string): boolean {
  const [one, other] = [plain(said), plain(text)]
  return other.length > 0 && (one === other || (other.length > 12 && one.includes(other)))
}

const toSentences = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?]) |(?<=[。！？])|\n/u)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** The sentence of the whole dialogue that the label is about stands among these. */
function isThere(gap: Label, dialogue: LabelledDialogue, sentences: readonly string[]): boolean {
  const whole = dialogue.turns.flatMap(({ who, text }) => (who === 'bot' ? toSentences(text) : []))
  const [best] = rank(gap, dialogue, whole)
  return best !== undefined && sentences.some((one) => isSame(one, best))
}

const findQuote = (gap: Label, dialogue: LabelledDialogue, sentences: readonly string[]): string =>
  rank(gap, dialogue, sentences)[0] ?? ''

/** Those nearest to the label in the words of its question, reason and key come first. */
function rank({ ask, why, key }: Label, { people }: LabelledDialogue, sentences: readonly string[]): readonly string[] {
  const weigh = (sentence: string): number =>
    overlapOf(sentence, ask, people) + overlapOf(sentence, why, people) + nearnessOf(sentence, { ask, key }, people) / 2
  return sentences.toSorted((one, other) => weigh(other) - weigh(one))
}

function toProposed({ ask, kind, why, changes }: Label, to: string, quote: string): Proposed {
  const isHan = /\p{Script=Han}/u.test(ask)
  const [first = changes, second = isHan ? '照现在的不变' : 'it stays as it is'] = changes.split(/; |；/u)
  const [yes, no] = isHan ? ['有，是这样', '没有，不是'] : ['yes, so it is', 'no, something else']
  return {
    question: ask,
    to,
    kind: z.enum(askKinds).parse(kind),
    options: [],
    quote,
    why,
    assumed: isHan ? '先照现在的' : 'it stays as it is',
    answers: [
      { answer: yes, changes: first.slice(0, 240) },
      { answer: no, changes: second.slice(0, 240) },
    ],
    key: toEnglishKey(ask),
  }
}

type Inventing = {
  readonly dialogue: LabelledDialogue
  readonly dialogues: readonly LabelledDialogue[]
  readonly asker: string
  readonly sentences: readonly string[]
}

/** A tempting one that must not be asked, else what belongs to another conversation. */
function invent(nth: number, { dialogue, dialogues, asker, sentences }: Inventing): Proposed {
  const start = dialogues.indexOf(dialogue) + 1
  const others = [...dialogues.slice(start), ...dialogues.slice(0, start)].filter(
    (one) => one.language === dialogue.language && one !== dialogue,
  )
  const ask = dialogue.not[nth]?.question ?? others.flatMap(({ gaps }) => gaps)[nth]?.ask ?? '?'
  const isHan = /\p{Script=Han}/u.test(ask)
  const [quote = ''] = sentences.toSorted(
    (one, other) => overlapOf(other, ask, dialogue.people) - overlapOf(one, ask, dialogue.people),
  )
  return toProposed(
    {
      ask,
      to: asker,
      kind: /^(?:is|are|do|does|did|has|have|was|were|will) |吗？$/iu.test(ask) ? 'yes-no' : 'words',
      why: isHan ? '我的回答里没有说清楚' : 'my answer leaves it open',
      changes: isHan ? '是就照这个改；不是就照现在的' : 'yes changes the answer; no keeps it as it is',
      key: '',
    },
    asker,
    quote,
  )
}

/** The words of the question, as a model would name what it is about. */
const toEnglishKey = (ask: string): string =>
  ask
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3)
    .slice(0, 4)
    .join(' ')
    .slice(0, 80) || ask.slice(0, 20)
