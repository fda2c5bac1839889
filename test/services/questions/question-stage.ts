// One conversation in memory in which the model asks people.
import { createQuestions } from '#services/questions/questions.ts'
import type { QuestionsDeps } from '#services/questions/human-ask.ts'
import type { Questions } from '#services/questions/slice.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { ann, message, toTurn, wonPress } from '#test/rig/events.ts'
import { builtIn, createStage, type Stage } from '#test/services/executor/stage.ts'

export const bob = 'web:bob'
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

let calls = 0
/** An answer of the model that asks each of these, with what a question must have. */
export const asks = (...questions: readonly Record<string, unknown>[]) => ({
  toolCalls: questions.map((more) => ({
    id: `c${++calls}`,
    name: 'human_ask',
    arguments: JSON.stringify({
      kind: 'knowledge',
      question: 'What is the budget?',
      why: 'It decides the hotel.',
      otherwise: 'I take 500.',
      ...more,
    }),
  })),
})

type AskedAsStored = {
  readonly to: string
  readonly question?: string
  readonly answer?: string
  readonly isPrivate?: true
}

export type QuestionStage = {
  readonly stage: Stage
  /** Says this in reply to the newest card that asks. Returns the text of what was sent. */
  reply(words: string, by?: string): Promise<string>
  /** As it is stored. */
  slice(): Promise<{ readonly asked: readonly AskedAsStored[] }>
  texts(): Promise<readonly string[]>
  /** What the tool has told the model, the newest last. */
  told(): readonly string[]
}

export function openQuestions(
  deps: Partial<QuestionsDeps> = {},
  { place = 'web:stage', kernel }: { readonly place?: string; readonly kernel?: Kernel } = {},
): QuestionStage {
  const clock = { now: Date.now }
  const feature = createQuestions({
    now: () => clock.now(),
    timeZone: 'Europe/Berlin',
    findZoneOf: async () => undefined,
    findDirect: async () => undefined,
    invite: async () => undefined,
    ...deps,
  })
  const others = builtIn.filter(({ name }) => name !== 'questions' && name !== 'config')
  const stage = createStage({ features: [feature, ...others], place }, 128_000, kernel)
  clock.now = stage.deps.now
  let said = 0
  const texts = async (): Promise<readonly string[]> => (await stage.sent()).map(({ text }) => text)
  return {
    stage,
    async reply(words, by = ann) {
      const { cards } = await stage.kernel.findCards(place, [])
      const question = cards.at(-1)?.question.id ?? ''
      const before = (await texts()).length
      const id = `said${++said}`
      const event = message({ conversation: place, id, messageId: id, text: words, principal: by })
      await stage.kernel.ingest({ event, dedupeKey: id, stop: 'none', echo: false })
      const answered = { conversation: place, id, principal: by, question, choice: '', said: true, words } as const
      const answer = { ...wonPress(answered), messages: [id] }
      const { routedSeq, events } = await stage.kernel.inbox(place, 100)
      const ruling = { act: 'answer', rule: 'answer', answer, asAdmin: false, otherwise: toTurn() } as const
      await stage.kernel.route(
        place,
        routedSeq,
        events.map(() => ruling),
      )
      await stage.work()
      return (await texts()).slice(before).join('\n')
    },
    slice: async () => {
      // The slice is what its schema reads.
      const { asked } = sliceOf(await stage.state(), feature) as Questions
      return {
        asked: asked.map(({ question, answer, ...more }) => ({
          ...more,
          ...(question ? { question: question.toJSON().value } : {}),
          ...(answer ? { answer: answer.toJSON().value } : {}),
        })),
      }
    },
    texts,
    told: () => (stage.requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === 'tool' ? [one.content] : [])),
  }
}
