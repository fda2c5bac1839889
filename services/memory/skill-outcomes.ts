// What people thought of answers that had been given a skill, counted in the skill: a thumb or a reaction on the answer, the newest of each turn.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Records } from '#shared/feature/ports.ts'
import type { Projection } from '#shared/feature/projection.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { mostJudged, type Outcomes } from '#shared/memory/skill.ts'
import type { Feedback } from '#shared/run/feedback.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { findGiven } from './life.ts'
import { givenSkills } from './skill-part.ts'

export type OutcomeDeps = {
  readonly memory: Pick<MemoryStore, 'change'>
  readonly records: Pick<Records, 'findTurn'>
}

const good = new Set(['👍', '❤', '🔥', '🎉', '👏', '💯', '✅', '🙏', 'up'])
const bad = new Set(['👎', '💩', '😡', '🤬', '❌', 'down'])

export const createSkillOutcomes = (deps: OutcomeDeps): Projection => ({
  name: 'skill-outcomes',
  async take(line) {
    await judge(deps, line)
    return []
  },
})

/** Safe to repeat. */
async function judge({ memory, records }: OutcomeDeps, line: RecordLine): Promise<void> {
  if (line.kind !== 'feedback') return
  const verdict = readVerdict(line.feedback)
  const [message] = line.messages
  if (verdict === undefined || message === undefined) return
  const found = await records.findTurn(line.conversation, { message })
  if (!found) return
  const { record } = found
  const context = record.context.filter(({ name }) => name === givenSkills)
  const turn = toTurn(line.conversation, record.turn)
  for (const [scope, numbers] of findGiven({ ...record, context }, line.conversation))
    for (const number of numbers)
      await memory.change(scope, number, (before) => {
        const outcomes = before.skill && toOutcomes(before.skill.outcomes, turn, verdict)
        return before.skill && outcomes ? { ...before, skill: { ...before.skill, outcomes } } : undefined
      })
}

const toTurn = (conversation: ConversationId, turn: string): string => `${conversation} ${turn}`.slice(-120)

/** `none`: it was taken back. Undefined for what says nothing of the answer's worth. */
function readVerdict({ what, value = '' }: Feedback): 'good' | 'bad' | 'none' | undefined {
  if (what !== 'reaction' && what !== 'thumb') return undefined
  const signs = value.replaceAll('\ufe0f', '').split(' ')
  if (signs.some((sign) => bad.has(sign))) return 'bad'
  if (signs.some((sign) => good.has(sign))) return 'good'
  return value === '' ? 'none' : undefined
}

/** Undefined where nothing changes. */
function toOutcomes(
  before: Outcomes | undefined,
  turn: string,
  verdict: 'good' | 'bad' | 'none',
): Outcomes | undefined {
  const { judged = [], ...counts } = before ?? { good: 0, bad: 0 }
  const known = judged.find((one) => one.turn === turn)
  if (known ? verdict === (known.good ? 'good' : 'bad') : verdict === 'none') return undefined
  const sum = { good: counts.good, bad: counts.bad }
  if (known) sum[known.good ? 'good' : 'bad'] -= 1
  if (verdict !== 'none') sum[verdict] += 1
  const others = judged.filter((one) => one.turn !== turn)
  const all = verdict === 'none' ? others : [...others, { turn, good: verdict === 'good' }]
  return { ...sum, judged: all.slice(-mostJudged) }
}
