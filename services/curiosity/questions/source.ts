// The questions that were collected, as a source of the desk: records of memory in a scope of its own, so that a question goes with the messages that it came
// of, as all that is kept does.
import type { DeskSource } from '#shared/desk/source.ts'
import { ofAsked } from '#shared/memory/record.ts'
import { keepClosed } from '#services/curiosity/desk/topics.ts'
import { findQuestion, isCollected } from './collected.ts'
import { findAnswer, keepAnswer, type KeepDeps } from './keep-answer.ts'
import { showQuestion } from './show-question.ts'

/** Nobody needs the answer any more. */
const livesMs = 14 * 86_400_000

export const createQuestions = (deps: KeepDeps): DeskSource => ({
  name: 'curiosity',
  async find(principal) {
    const read = await deps.memory.read(ofAsked(principal))
    const all = read === 'same' ? [] : read.records.filter(isCollected).filter(({ asks }) => asks.held !== true)
    return all.map(({ number, id, text, saidAt, from, asks: { key, kind, worth, in: chat } }) => ({
      ref: { number, id, in: chat },
      key,
      kind,
      text,
      worth,
      since: saidAt,
      until: saidAt + livesMs,
      ripe: true,
      from,
    }))
  },
  async show(one, card) {
    const question = await findQuestion(deps.memory, card.principal, one)
    return question && showQuestion(question, card)
  },
  async answer(context, one, { principal, forChat }) {
    const question = await findQuestion(deps.memory, principal, one)
    if (question) return await keepAnswer(deps, context, { question, forChat })
    const chat = forChat && one.in !== undefined ? { in: one.in } : {}
    return { kind: 'gone', saved: await findAnswer(deps.memory, context.event, { principal, ...chat }) }
  },
  async close(principal, refs, how) {
    const still = await Promise.all(refs.map(async (one) => await findQuestion(deps.memory, principal, one)))
    const numbers = still.flatMap((one) => one?.number ?? [])
    if (how === 'never') for (const number of numbers) await keepClosed(deps, principal, number)
    else if (numbers.length > 0) await deps.memory.drop(ofAsked(principal), numbers)
  },
})
