// A press on the card of /memory, or the words that it asked for. Each deed names the record as it was seen: what somebody else changed meanwhile is shown
// instead of being written over. All of it is safe to repeat.
import type { Language } from '#shared/chat/message.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { notAllowed } from '#shared/feature/rights.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { readStored } from '#shared/stored-json.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { isForAdmins } from './anchor-words.ts'
import { findItem, toAsk, toList, type Effects } from './card-list.ts'
import { labels, toOwnLabel, toRecordCard } from './card-record.ts'
import type { FindDeps } from './find-kept.ts'
import { toDisallowed } from './marks.ts'
import { mayTouch, onCard, type OnCard, type SeenRecord } from './on-card.ts'
import { tellReplaced } from './replaced.ts'
import { rewrite } from './rewrite.ts'
import { cameOf, toShown } from './words.ts'

export async function answerCard(deps: FindDeps, context: AnswerContext): Promise<Effects> {
  const { choice, words } = context.event
  const at = readStored('card of memory', onCard, context.event.payload)
  if (choice === 'before' || choice === 'after')
    return await toList(deps, context, { ...at, page: at.page + (choice === 'after' ? 1 : -1) }, { inPlace: true })
  const seen = findItem(at, choice) ?? at.open
  if (!seen || (choice === 'back' && at.asks === undefined)) return await toList(deps, context, at, { inPlace: true })
  const [record] = await deps.memory.findBy(seen.scope, [seen.id])
  const isWritten = at.asks === 'words' && choice === ''
  if (!record) return await showPresent(deps, context, { at, seen, inPlace: !isWritten })
  const open: Open = { at: { ...at, open: seen }, record }
  if (isWritten && words !== undefined) return await edit(deps, context, open)
  if (choice.startsWith('r-') || choice === 'back') return await show(deps, context, open)
  if (!mayTouch(record, at, context)) return await show(deps, context, open)
  const settles = choice === 'edit' || choice === 'confirm'
  if (settles && isForAdmins(record) && !at.mayAll) return await show(deps, context, open, notAllowed[at.language])
  return await act(deps, context, open)
}

type Open = { readonly at: OnCard; readonly record: MemoryRecord }

const show = (deps: FindDeps, context: AnswerContext, { at, record }: Open, note?: string): Promise<Effects> =>
  toRecordCard(deps, context, { at, record, showing: { inPlace: true, ...(note === undefined ? {} : { note }) } })

async function act(deps: FindDeps, context: AnswerContext, open: Open): Promise<Effects> {
  const { language } = open.at
  switch (context.event.choice) {
    case 'edit':
      return open.record.supersededBy === undefined
        ? [toWordsCard(context, open, true)]
        : await show(deps, context, open, told.superseded[language])
    case 'forget':
      return [toForgetCard(context, open)]
    case 'drop':
      return await drop(deps, context, open)
    case 'pin':
      return await change(deps, context, open, (before) => ({ ...before, pinned: true }))
    case 'unpin':
      return await change(deps, context, open, (before) => ({ ...before, pinned: false }))
    case 'allow':
      return await change(deps, context, open, (before) =>
        before.scope === ofPerson(context.principal) ? { ...before, groups: true } : undefined,
      )
    case 'disallow':
      return await change(deps, context, open, toDisallowed)
    case 'confirm':
      return await change(deps, context, open, (before) => ({
        ...before,
        status: 'confirmed',
        confirmedBy: context.principal,
      }))
    default:
      return await show(deps, context, open)
  }
}

async function change(
  deps: FindDeps,
  context: AnswerContext,
  { at, record }: Open,
  toChanged: (before: MemoryRecord) => MemoryRecord | undefined,
): Promise<Effects> {
  const { scope, number, id } = record
  const changed = await deps.memory.change(scope, number, (before) =>
    before.id === id && before.supersededBy === undefined ? toChanged(before) : undefined,
  )
  if (!changed) return await showPresent(deps, context, { at, seen: record, inPlace: true })
  return await show(deps, context, { at, record: changed })
}

/** What was seen is gone, or something took its place: the record that has its words anew, else the list as it is now. */
async function showPresent(
  deps: FindDeps,
  context: AnswerContext,
  { at, seen, inPlace }: { readonly at: OnCard; readonly seen: SeenRecord; readonly inPlace: boolean },
): Promise<Effects> {
  const { language } = at
  const label = toOwnLabel(seen, at, context)
  const [there] = await deps.memory.findBy(seen.scope, [seen.id])
  if (there) {
    const showing = { inPlace, note: told.superseded[language] }
    return await toRecordCard(deps, context, { at, record: there, showing })
  }
  const now = await findAnew(deps, seen)
  if (now) {
    const anew = toOwnLabel(now, at, context)
    // A worker died after it was written: the same words come again.
    const isOwn = now.id === toEventId('said', context.event.conversation, context.event.id)
    const note = isOwn
      ? tellChanged(anew, language)
      : language === 'zh'
        ? `第 ${label} 条刚才被改写了，现在是第 ${anew} 条：`
        : `Number ${label} was worded anew meanwhile. It is number ${anew} now:`
    return await toRecordCard(deps, context, { at, record: now, showing: { inPlace, note } })
  }
  const note = language === 'zh' ? `第 ${label} 条已经不在了。` : `Number ${label} is not kept any more.`
  return await toList(deps, context, at, { inPlace, note })
}

const mostSteps = 20

/** The record with the newest words for it. */
async function findAnew({ memory }: FindDeps, { scope, number }: SeenRecord): Promise<MemoryRecord | undefined> {
  const read = await memory.read(scope)
  const records = read === 'same' ? [] : read.records
  let found: MemoryRecord | undefined
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const from = found?.number ?? number
    const next = records.find((one) => one.rewrites === from && one.number > from)
    if (!next) break
    found = next
  }
  return found
}

function toWordsCard(context: AnswerContext, { at, record }: Open, inPlace: boolean): StepEffect<never> {
  const { language } = at
  const label = toOwnLabel(record, at, context)
  const said = toShown(record.text)
  return {
    ...toAsk({ ...at, asks: 'words' }, context, [[{ id: 'back', label: labels.back[language] }]]),
    text: `${howTo(label, at)}${said}”`,
    words: true,
    typing: true,
    ...(inPlace ? { again: true } : {}),
    inPlace,
    cameOf: cameOf([record]),
  }
}

/** In a group what is not said to the bot is nobody's answer. */
function howTo(label: string, { language, group }: OnCard): string {
  if (language === 'zh')
    return group
      ? `请回复这条消息，写下第 ${label} 条的新说法。现在是：“`
      : `请在下一条消息里写下第 ${label} 条的新说法，或回复这条消息。现在是：“`
  return group
    ? `Reply to this with the new words for number ${label}. Now it says: “`
    : `Write the new words for number ${label} in your next message, or reply to this one with them. Now it says: “`
}

/** Their words take the place of the record's. */
async function edit(deps: FindDeps, context: AnswerContext, open: Open): Promise<Effects> {
  const { at, record } = open
  const { language } = at
  if (record.supersededBy !== undefined || !mayTouch(record, at, context))
    return await showPresent(deps, context, { at, seen: record, inPlace: false })
  const name = at.group ? context.state.nameOf(context.principal) : undefined
  // The card itself came of a command, which says nothing of the record.
  const about = context.about.filter((one) => !at.about.includes(one))
  const written = await rewrite(deps, record, {
    event: context.event,
    principal: context.principal,
    about,
    ...(name === undefined ? {} : { name: name.slice(0, 100).toWellFormed() }),
  })
  if (written.kind === 'refused')
    return [{ kind: 'send', text: written.why[language] }, toWordsCard(context, open, false)]
  if (written.kind === 'gone') return [{ kind: 'send', text: told.gone[language] }]
  const now = written.record
  const label = toOwnLabel(now, at, context)
  const others = tellReplaced(written.replaced, { scope: record.scope, language })
  const note = `${tellChanged(label, language)}${others}`
  const ended: StepEffect<never> = { kind: 'send', text: told.edited[language], inPlace: true, about: [] }
  return [ended, ...(await toRecordCard(deps, context, { at, record: now, showing: { inPlace: false, note } }))]
}

const tellChanged = (label: string, language: Language): string =>
  language === 'zh' ? `改好了，现在是第 ${label} 条` : `Changed. It is number ${label} now`

/** What is dropped cannot be written again: so it is asked first, and cannot be taken back. */
function toForgetCard(context: AnswerContext, { at, record }: Open): StepEffect<never> {
  const { language } = at
  const yes = { id: 'drop', label: labels.drop[language] }
  const label = toOwnLabel(record, at, context)
  const said = toShown(record.text)
  return {
    ...toAsk({ ...at, asks: 'forget' }, context, [[yes, { id: 'back', label: labels.back[language] }]]),
    text:
      language === 'zh'
        ? `要忘掉第 ${label} 条吗？“${said}”\n说它的那条消息还会在聊天里。`
        : `Shall I forget number ${label}? “${said}”\nThe message that said it stays in the chat.`,
    inPlace: true,
    cameOf: cameOf([record]),
  }
}

async function drop(deps: FindDeps, context: AnswerContext, { at, record }: Open): Promise<Effects> {
  await deps.memory.drop(record.scope, [record.id], 'for-good')
  const label = toOwnLabel(record, at, context)
  const note =
    at.language === 'zh'
      ? `已忘掉第 ${label} 条。说它的那条消息还在聊天里；要连它一起忘掉，用 /forget 回复那条消息。`
      : `Number ${label} is forgotten. The message that said it is still in the chat: reply to that with /forget to forget it too.`
  return await toList(deps, context, at, { inPlace: true, note })
}

const told = {
  superseded: { zh: '这一条已有更新的取代了它：', en: 'Something newer has taken the place of this one:' },
  edited: { zh: '你改过了。', en: 'You worded it anew.' },
  gone: {
    zh: '这条消息已被忘掉，没有记下。',
    en: 'That message is forgotten, and nothing was kept of it.',
  },
} as const
