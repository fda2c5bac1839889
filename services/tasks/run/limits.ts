// The limits of a task (seed 004 §3.2.2): so much working time and so many tokens. A task that reaches them gives out what there is, and goes on where
// somebody grants it as much again.
import { peek, tell } from '#shared/feature/kept.ts'
import { next } from '#services/tasks/graph/states.ts'
import { pick, toName, toOption, toTokens } from '#services/tasks/words.ts'
import { cutMiddle } from './cut-middle.ts'
import { cardLivesMs, type TaskOwn } from './own.ts'
import { showProgress } from './progress-card.ts'
import { outputName, outputsOf } from './texts.ts'
import { tellHome } from './tell-home.ts'
import { countSteps, set, type Papers, type TaskEffect, type Work } from './work.ts'

const mostWorkMs = 30 * 60_000
const mostTokens = 100_000
const outputChars = 1500

export const isOverLimits = ({ workMs, tokens, grants, phase, outcome }: TaskOwn): boolean =>
  // What is finished is given out.
  !(phase === 'result' && outcome === 'done') && (workMs > grants * mostWorkMs || tokens > grants * mostTokens)

export async function endAtLimits(work: Work, papers: Papers): Promise<readonly TaskEffect[]> {
  const { slice, language } = work
  const own = { ...slice, machine: next(slice.machine, 'limits_reached') }
  const outputs = peek([papers.graph], ([graph]) => (graph ? outputsOf(graph) : []))
  const found = await Promise.all(outputs.map(async (output) => await work.findArtifact(outputName(output))))
  const results = found.flatMap((one) => one ?? [])
  const minutes = Math.round(slice.workMs / 60_000)
  const name = toName(slice.number, language)
  const head = pick(language, {
    zh: `${name} 到了上限（${minutes} 分钟，${toTokens(slice.tokens, language)}），先停在这里。到目前为止的结果：`,
    en: `${name} has reached its limits (${minutes} minutes, ${toTokens(slice.tokens, language)}) and stops here. What there is so far:`,
  })
  const text = pick(language, { zh: `要再给 ${name} 同样多的时间和用量吗？`, en: `Shall ${name} have as much again?` })
  const options = [[toOption('resume', language), toOption('cancel', language)]]
  const asked = {
    question: 'paused',
    options,
    payload: '',
    owner: slice.asker,
    admins: true,
    topic: 'paused',
    deadlineMs: cardLivesMs,
  } as const
  return [
    ...showProgress(work, papers, own),
    tell(results, (all) => [head, ...all.map((one) => cutMiddle(one, outputChars))].join('\n\n')),
    { ...asked, kind: 'ask', text },
    set({ machine: own.machine }),
    tellHome(own, countSteps(papers.graph)),
  ]
}
