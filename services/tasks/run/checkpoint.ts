// The checkpoint (seed 000 §5.3 and §6): the work stops, shows what the last step came to, and goes on as people say: on, again with what they want
// otherwise, or back to an earlier step.
import { rework, tell, tellAsking } from '#shared/feature/kept.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { renderCard } from '#shared/feature/card.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import type { TaskGraph } from '#services/tasks/graph/graph.ts'
import { lookAhead } from '#services/tasks/graph/progress.ts'
import { next, type Machine } from '#services/tasks/graph/states.ts'
import { labels, pick, toName, toOption, toTokens } from '#services/tasks/words.ts'
import { cutMiddle } from './cut-middle.ts'
import { cardLivesMs, keepNotes, lookNow, noteChars, type TaskOwn } from './own.ts'
import { askWhere } from './rollback.ts'
import { tellHome } from './tell-home.ts'
import { outputName } from './texts.ts'
import {
  countSteps,
  findPapers,
  goOnLater,
  set,
  woken,
  type Papers,
  type TaskEffect,
  type TaskStep,
  type Work,
} from './work.ts'

const outputChars = 900
const titleChars = 80
const gone = { zh: '（已被忘记）', en: '(it is forgotten)' }

/** Stops for people to look at what step `node` came to. */
export async function showCheckpoint(work: Work, { graph }: Papers, own: TaskOwn): Promise<readonly TaskStep[]> {
  const { language, slice } = work
  const { done, all } = countSteps(graph)
  const output =
    (await work.findArtifact(outputName({ number: Number(slice.node.slice(2)), generation: slice.generation }))) ??
    work.keep(pick(language, gone))
  const title = rework(graph, ({ nodes }) => nodes.find(({ id }) => id === slice.node)?.title ?? '')
  const coming = rework(graph, (one) => toComing(one, language))
  const machine = toVerifying(own.machine)
  const head = `${toName(own.number, language)} · ${done}/${all} · ${toTokens(own.tokens, language)}`
  const options = [[toOption('continue', language), toOption('revise', language)], [toOption('rollback', language)]]
  const asked = {
    question: 'checkpoint',
    options: done > 0 ? options : options.slice(0, 1),
    payload: JSON.stringify({ step: done }),
    owner: own.asker,
    admins: true,
    words: true,
    topic: 'checkpoint',
    deadlineMs: cardLivesMs,
  } as const
  return [
    tellAsking(
      [title, output, coming],
      asked,
      ([what = '', text = '', after = '']) =>
        `${head}${after}\n\n${renderCard(
          {
            kind: 'checkpoint',
            step: done,
            description: what,
            output: cutMiddle(text, outputChars),
            urgency: 'normal',
            otherwise:
              language === 'zh'
                ? '30 天后任务会暂停，什么也不丢。'
                : 'the task is paused after 30 days, and nothing is lost.',
          },
          language,
        )}`,
    ),
    set({ waits: 'checkpoint', since: 0, machine }),
    tellHome({ ...own, waits: 'checkpoint', machine }, { done, all }),
  ]
}

/** What is done once people let it go on. */
function toComing(graph: TaskGraph, language: Work['language']): string {
  const outlook = lookAhead(graph)
  const at = outlook.kind === 'ready' ? graph.nodes.findIndex(({ id }) => id === outlook.ids[0]) : -1
  const end = outlook.kind === 'completed' ? pick(language, { zh: '整理结果', en: 'the result' }) : ''
  const what = at < 0 ? end : `${at + 1}. ${toInertLine(graph.nodes[at]?.title ?? '', titleChars)}`
  return what === '' ? '' : `\n${pick(language, { zh: '接下来：', en: 'Next: ' })}${what}`
}

/** People look at what there is. */
export const toVerifying = (machine: Machine): Machine =>
  machine.current_state === 'VERIFYING' ? machine : next(machine, 'milestone_reached')

export async function answerCheckpoint(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language } = context
  if (slice.waits !== 'checkpoint')
    return [await endCheckpoint(context, language === 'zh' ? '这一步已经过去了。' : 'This step is over.')]
  const words = event.words?.trim() ?? ''
  const who = toWho(context)
  if (event.choice === 'continue') {
    const awake = woken(slice)
    const machine = next(awake.machine, 'verification_passed_more_tasks')
    return [
      await endCheckpoint(context, toChosen(who, labels.continue[language], language)),
      ...awake.effects,
      set({ waits: 'nothing', machine }),
      goOnLater(slice),
    ]
  }
  if (event.choice === 'revise') return askForWords(context)
  if (event.choice === 'rollback') return await askWhere(context)
  return await revise(context, words)
}

/** Words that say what is to be otherwise: the step is done once more, with them. */
async function revise(context: AnswerContext<TaskOwn>, words: string): Promise<readonly TaskEffect[]> {
  const { slice, language, keep } = context
  if (words === '') return askForWords(context)
  const note = keep(words.slice(0, noteChars).toWellFormed())
  const cut =
    words.length > noteChars
      ? language === 'zh'
        ? `（太长，只留下前 ${noteChars} 个字符）`
        : ` (too long: its first ${noteChars} characters are kept)`
      : ''
  const machine = next(slice.machine, 'rolled_back')
  return [
    ...woken(slice).effects,
    await endCheckpoint(context, `${toChosen(toWho(context), labels.revise[language], language)}${cut}`),
    set({ waits: 'nothing', notes: keepNotes([...slice.notes, note]), machine, outcome: 'again', since: lookNow }),
    goOnLater(slice),
  ]
}

function askForWords({ slice, language }: AnswerContext<TaskOwn>): readonly TaskEffect[] {
  const text =
    language === 'zh'
      ? `${toName(slice.number, language)}：哪里要改？回复这条消息说明。`
      : `${toName(slice.number, language)}: what should be different? Reply to this message and say what to change.`
  const asked = {
    question: 'checkpoint',
    options: [[toOption('continue', language)]],
    payload: '',
    owner: slice.asker,
    admins: true,
    words: true,
    topic: 'checkpoint',
    deadlineMs: cardLivesMs,
  } as const
  return [{ ...asked, kind: 'ask', text, inPlace: false }]
}

/** In the place of the card: which step it was about, and how it ended. */
async function endCheckpoint(work: Work, end: string): Promise<TaskStep> {
  const { slice, language } = work
  const papers = await findPapers(work)
  const title = papers
    ? rework(papers.graph, ({ nodes }) => {
        const at = nodes.findIndex(({ id }) => id === slice.node)
        return at < 0 ? '' : `${at + 1}. ${toInertLine(nodes[at]?.title ?? '', titleChars)}`
      })
    : work.keep('')
  return tell([title], ([what = '']) => [`**${toName(slice.number, language)}** · ${what}`, end].join('\n\n'), {
    inPlace: true,
  })
}
