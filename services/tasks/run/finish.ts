// A task's end: what its steps came to is looked at once more against the order, by code where that can count and by the model for the rest, and given out.
import { peek, rework, tellTurn, type Kept } from '#shared/feature/kept.ts'
import type { Language } from '#shared/chat/message.ts'
import { findMissing, type Missing } from '#services/tasks/graph/check-order.ts'
import { readOrder } from '#services/tasks/graph/read-order.ts'
import { next } from '#services/tasks/graph/states.ts'
import { tellResult } from '#services/tasks/files/tell-file.ts'
import { pick, resultWord, toName } from '#services/tasks/words.ts'
import { findResults, mostSought, toDone, toOrder, type Part } from './do-step.ts'
import { showProgress } from './progress-card.ts'
import { toFinalPrompt, type Done } from './prompts.ts'
import { outputName, outputsOf, resultName } from './texts.ts'
import { tellHome } from './tell-home.ts'
import { toResult } from './to-result.ts'
import { countSteps, set, toTurn, type Papers, type TaskEffect, type Work } from './work.ts'

/** The turn that finishes the work. */
export async function finishTask(work: Work, papers: Papers): Promise<readonly TaskEffect[]> {
  const { slice, about, language } = work
  const machine =
    slice.machine.current_state === 'FINALIZING' ? slice.machine : next(slice.machine, 'all_tasks_complete')
  const own = { ...slice, machine }
  const outputs = peek([papers.graph], ([graph]) => (graph ? outputsOf(graph) : []))
  const parts: readonly Kept<Part>[] = [
    rework(papers.order, (text): Part => ({ kind: 'order', text })),
    rework(papers.graph, (graph): Part => ({ kind: 'graph', graph })),
    ...(await findResults(work, outputs, { whole: true })),
  ]
  return [
    ...showProgress(work, papers, own),
    set({ machine, phase: 'result', outcome: 'none', waits: 'nothing', tries: 0, loop: slice.loop + 1 }),
    tellTurn(parts, toTurn(about, slice), (all) => ({
      text: toPrompt(all, slice.number, language),
      seeks: toOrder(all).slice(0, mostSought).toWellFormed(),
    })),
  ]
}

function toPrompt(all: readonly Part[], number: number, language: Language): string {
  const order = toOrder(all)
  const results = all.flatMap((one) => (one.kind === 'graph' ? toDone(all, one.graph) : []))
  const missing = findMissing(readOrder(order), toMade(results)).map((one) => toLine(one, language))
  return toFinalPrompt({ number, order, results, missing }, language)
}

const toMade = (results: readonly Done[]) => {
  const parts = results.map(({ text }) => text)
  return { answer: parts.join('\n\n'), parts, files: [] }
}

const toLine = ({ what, found, wanted }: Missing, language: Language): string =>
  language === 'zh'
    ? `请注意：${what} 要求 ${wanted}，现有 ${found || '没有'}。`
    : `Mind: ${what}: ${wanted} ordered, ${found || 'none'} there.`

/** Gives the result out, and ends the task. */
export async function deliver(work: Work, papers: Papers): Promise<readonly TaskEffect[]> {
  const { slice, language, keep } = work
  const own = { ...slice, machine: next(slice.machine, 'output_generated'), waits: 'nothing' as const }
  const answer = (await work.findArtifact(resultName)) ?? keep('')
  const outputs = peek([papers.graph], ([graph]) => (graph ? outputsOf(graph) : []))
  const found = await Promise.all(outputs.map(async (output) => await work.findArtifact(outputName(output))))
  const results = found.flatMap((one) => one ?? [])
  const how = {
    number: slice.number,
    head: `${toName(slice.number, language)} · ${pick(language, resultWord)}`,
    language,
  }
  return [
    ...showProgress(work, papers, own),
    ...tellResult([answer, ...results], ([said = '', ...all]) => toResult(said, all), how),
    set({ machine: own.machine, phase: 'none', waits: 'nothing' }),
    tellHome(own, countSteps(papers.graph)),
  ]
}
