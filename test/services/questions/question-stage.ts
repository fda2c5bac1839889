// One conversation in memory in which the model asks people.
import { createQuestions } from '#services/questions/questions.ts'
import type { QuestionsDeps } from '#services/questions/human-ask.ts'
import type { Questions } from '#services/questions/slice.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { ann, wonPress, toApply } from '#test/rig/events.ts'
import { builtIn, createStage, type Stage } from '#test/services/executor/stage.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'

export const bob = 'web:bob'
export const dayMs = 86_400_000
export const hourMs = 3_600_000

export type Call = { readonly id: string; readonly name: string; readonly arguments: string }
let calls = 0
/** A call of the tool, with what it must have. */
export const toCall = (more: Record<string, unknown>): Call => ({
  id: `c${++calls}`,
  name: 'human_ask',
  arguments: JSON.stringify({ kind: 'knowledge', question: 'What is the budget?', why: 'It decides the hotel.', otherwise: 'I take 500.', ...more }),
})
export const asks = (...more: readonly Record<string, unknown>[]) => ({ toolCalls: more.map(toCall) })

export type QuestionStage = {
  readonly stage: Stage
  /** Answers by words in reply to the newest card. */
  reply(words: string, by?: string): Promise<void>
  slice(): Promise<Questions>
  texts(): Promise<readonly string[]>
  /** What a tool told the model last. */
  told(): string | undefined
}

export function openQuestions(
  deps: Partial<QuestionsDeps> = {},
  given: { readonly place?: string; readonly kernel?: Kernel; readonly zone?: string } = {},
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
  const { place, kernel } = given
  const stage = createStage({ features: [feature, ...others], ...(place ? { place } : {}) }, 128_000, kernel)
  clock.now = stage.deps.now
  let answers = 0
  return {
    stage,
    async reply(words, by = ann) {
      const buttons = (await stage.sent()).findLast(({ asks: isCard }) => isCard)?.buttons?.flat() ?? []
      const [question = ''] = buttons[0]?.id.split('.') ?? []
      const conversation = place ?? 'web:stage'
      const first = buttons[0]?.id.split('.')[1] ?? ''
      const event = wonPress({ conversation, id: `w${++answers}`, principal: by, question, choice: first })
      const won = await stage.kernel.resolve({ question, actor: by, chat: conversation, choice: first, event, asAdmin: false })
      if (won.kind !== 'WON') throw new Error(`The reply did not win: ${won.kind}`)
      await stage.put({ ...event, id: `x${answers}` }, toApply('answer'))
      await stage.work()
      throw new Error(words)
    },
    // The slice is what its schema reads.
    slice: async () => sliceOf(await stage.state(), feature) as Questions,
    texts: async () => (await stage.sent()).map(({ text }) => text),
    told: () => stage.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content,
  }
}
