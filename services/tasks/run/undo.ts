// What a rollback takes back outside: each change that has a call for that is offered on a card of its own, and made as it was stored, once somebody presses.
import { z } from 'zod'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { rework, tell, tellAsking, tellTurn, toOurs, type Kept } from '#shared/feature/kept.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import type { OutsideWrite } from '#shared/feature/left.ts'
import type { Language } from '#shared/chat/message.ts'
import { readStored } from '#shared/stored-json.ts'
import { labels, pick, toName, toOption } from '#services/tasks/words.ts'
import { cardLivesMs, mostUndos, type Point, type TaskOwn, type Undoing } from './own.ts'
import { findWrites, resultName } from './texts.ts'
import { goOnLater, set, toTurn, type TaskEffect, type Work } from './work.ts'

const lineChars = 200
const place = z.object({ nth: z.number().int(), place: z.number().int() })

const toLine = ({ name, what = '', isSure }: OutsideWrite, language: Language): string =>
  [
    `\`${name}\``,
    toInertLine(what, lineChars),
    isSure ? '' : pick(language, { zh: '（不确定是否做成）', en: '(perhaps)' }),
  ]
    .filter(Boolean)
    .join(' ')

/** What was changed outside so far, as far as it is kept. */
export const findAllWrites = (work: Work): Promise<readonly Kept<readonly OutsideWrite[]>[]> =>
  writesSince(work, { writes: 0 })

/** What was changed outside since a point, and not taken back. */
export async function writesSince(
  work: Work,
  { writes: since }: Pick<Point, 'writes'>,
): Promise<readonly Kept<readonly OutsideWrite[]>[]> {
  const later = work.slice.writes.filter(({ nth }) => nth >= since)
  const found = await Promise.all(
    later.map(async ({ nth, undone }) => {
      const all = await findWrites(work, nth)
      return all && rework(all, (some) => some.filter((_, at) => !undone.includes(at)))
    }),
  )
  return found.flatMap((one) => one ?? [])
}

/** Which of them can be taken back, and which stand: Markdown, none where there are none. */
export function toWritesText(writes: readonly OutsideWrite[], language: Language): readonly string[] {
  const list = (some: readonly OutsideWrite[]): string => some.map((one) => `- ${toLine(one, language)}`).join('\n')
  const [back, stand] = [writes.filter(({ undo }) => undo), writes.filter(({ undo }) => !undo)]
  const heads = {
    back: pick(language, {
      zh: '这些在外部做的事可以撤销，回滚后我会逐一问：',
      en: 'These changes outside can be taken back; I ask about each after the rollback:',
    }),
    stand: pick(language, {
      zh: '这些在外部做的事不会变，撤不回来：',
      en: 'These changes outside stay, and cannot be taken back:',
    }),
  }
  return [
    ...(back.length > 0 ? [`${heads.back}\n${list(back)}`] : []),
    ...(stand.length > 0 ? [`${heads.stand}\n${list(stand)}`] : []),
  ]
}

/** What can be taken back of what was done since a point, the newest first. */
export const toUndos = ({ writes }: TaskOwn, { writes: since }: Point): readonly Undoing[] =>
  writes
    .filter(({ nth }) => nth >= since)
    .flatMap(({ nth, undoable }) => undoable.map((at) => ({ nth, place: at })))
    .toReversed()
    .slice(0, mostUndos)

/** Asks about the next one. */
export async function askUndo(work: Work): Promise<readonly TaskEffect[]> {
  const { slice, language } = work
  const [first, ...rest] = slice.undos
  const writes = first && (await findWrites(work, first.nth))
  if (!first || !writes) return [set({ undos: rest, waits: 'nothing' }), goOnLater(slice)]
  const asked = {
    question: 'undo',
    options: [[toOption('undo', language), toOption('leave', language)]],
    payload: JSON.stringify(first),
    owner: slice.asker,
    admins: true,
    topic: 'undo',
    deadlineMs: cardLivesMs,
  } as const
  return [
    tellAsking([writes], asked, ([all = []]) => {
      const write = all[first.place]
      const call = write?.undo ? `\`${write.undo.name}\`\n> ${toInertLine(write.undo.arguments, 1000)}` : ''
      const head = pick(language, { zh: '要撤销这件在外部做的事吗？', en: 'Shall I take back this change outside?' })
      const how = pick(language, { zh: '撤销时会这样调用：', en: 'This call takes it back:' })
      return [`**${toName(slice.number, language)}** · ${head}`, write ? toLine(write, language) : '', how, call].join(
        '\n\n',
      )
    }),
    set({ waits: 'undo' }),
  ]
}

export async function answerUndo(context: AnswerContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, language } = context
  const { nth, place: at } = readStored('card of an undo', place, event.payload)
  const [first, ...rest] = slice.undos
  if (slice.waits !== 'undo' || first?.nth !== nth || first.place !== at) return []
  const label = event.choice === 'undo' ? 'undo' : 'leave'
  const chosen = toChosen(toWho(context), labels[label][language], language)
  const writes = await findWrites(context, nth)
  const compose = ([all = []]: readonly (readonly OutsideWrite[])[]): string => {
    const what = all.slice(at, at + 1).map((one) => ` · ${toLine(one, language)}`)
    return [`**${toName(slice.number, language)}**${what.join('')}`, chosen].join('\n\n')
  }
  const end: TaskEffect = tell(writes ? [writes] : [], compose, { inPlace: true })
  if (label === 'leave') return [end, set({ undos: rest, waits: 'nothing' }), goOnLater(slice)]
  return [
    end,
    set({ waits: 'nothing', phase: 'undo', outcome: 'again', undoneBy: toOurs(event.principal) }),
    goOnLater(slice),
  ]
}

/** The turn that takes it back, and what follows its end. */
export async function takenBack(work: Work): Promise<readonly TaskEffect[]> {
  const { slice, language, about, conversation } = work
  const [first, ...rest] = slice.undos
  const writes = first && (await findWrites(work, first.nth))
  const goesOn = [set({ phase: 'step', outcome: 'taken', undos: rest }), goOnLater(slice)]
  if (!first || !writes) return goesOn
  if (slice.outcome === 'again') {
    const key = `${conversation}#${slice.number}/undo/${first.nth}-${first.place}`
    const how = { ...toTurn(about, slice), depth: 'standard' } as const
    return [
      set({ outcome: 'none', loop: slice.loop + 1 }),
      tellTurn([writes], how, ([all = []]) => {
        const undo = all[first.place]?.undo
        return {
          text: pick(language, {
            zh: '上面的调用撤销了之前的一步。用一句话说明是否成功。',
            en: 'The call above takes back what an earlier step did. Say in one sentence whether it succeeded.',
          }),
          calls: undo ? [{ ...undo, key, by: slice.undoneBy }] : [],
        }
      }),
    ]
  }
  const said = await work.findArtifact(resultName)
  const failed = pick(language, { zh: '撤销没有成功。', en: 'It could not be taken back.' })
  const told: TaskEffect =
    slice.outcome === 'done' && said ? tell([said], ([text = '']) => text) : { kind: 'send', text: failed }
  return [told, ...goesOn]
}
