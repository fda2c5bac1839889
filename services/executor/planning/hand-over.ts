// The work of a plan may be more than one turn: a feature takes it over where the model's very first answer begins with a plan. Then nothing of that answer
// is done, and the turn ends with what the feature says and wants, in one unit; a crash before it leaves the question to be asked again.
import type { JournalEntry } from '#shared/run/journal.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { keeper } from '#shared/feature/kept.ts'
import type { HandedOver } from '#shared/feature/plan-taker.ts'
import { isInGroup } from '#services/executor/context/in-group.ts'
import { toFacts } from '#services/executor/context/turn-facts.ts'
import { stepsDone, type TurnStart } from '#services/executor/run/open-turn.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { TurnRun } from '#services/executor/turn/turn-run.ts'
import { mayPlan } from './progress.ts'
import { readPlan, readWholeSteps } from './read-plan.ts'

type Finished = Extract<JournalEntry, { t: 'llm:fin' }>

/** Undefined where the turn goes on with its answer. */
export async function handOver(run: TurnRun, finished: Finished): Promise<HandedOver | undefined> {
  const { deps, claim, start } = run
  const feature = deps.features.all.find(({ plans }) => plans !== undefined)
  if (!feature?.plans || !isAsked(start) || stepsDone(run.turn()) > 0 || finished.broke) return undefined
  const plan = readPlan(finished.text)
  const calls = finished.toolCalls.length > 0
  if (!plan || (!calls && plan.rest !== '')) return undefined
  const turn = { start, entries: [...run.turn().entries, finished] }
  const { events, text: asked, language, taint, aboutWords } = toFacts(turn, claim)
  if (!events.every(isWhole)) return undefined
  const { principal } = start
  const tool = deps.features.findTool(feature.plans.tool)?.found
  if (!tool || (await deps.findRight(tool, principal, claim.conversation)) !== 'use') return undefined
  const steps = readWholeSteps(finished.text)
  const taken = feature.plans.take({
    slice: sliceOf(claim.state, feature),
    principal,
    language,
    keep: keeper({ by: principal, taint, about: aboutWords(asked) }),
    server: events.find(({ server }) => server !== undefined)?.server,
    group: isInGroup(claim.state, events, start),
    asked,
    steps,
    calls,
  })
  return taken && { ...taken, feature: feature.name }
}

/** A person asks for it now, in words of their own, and everybody may see it. */
const isAsked = (start: TurnStart): boolean =>
  mayPlan(start) && start.class.depth === 'deep' && start.given === undefined && start.for === undefined

/** The message says all that it asks: what it quotes, replies to or brings along would be missing elsewhere. */
const isWhole = (event: ChatEvent): boolean =>
  event.kind === 'message'
    ? !event.quoted?.length && event.replyTo === undefined && !event.media?.length && !event.truncated
    : event.kind === 'edit'
