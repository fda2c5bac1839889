// Plays a labelled dialogue to the readers: each message of a person is a turn, with what the bot said to it; and looks at what waits for whom at its end.
import type { MemoryRecord } from '#shared/memory/record.ts'
import { ofChat, ofPerson } from '#shared/memory/record.ts'
import { recordOf } from '#test/rig/turn-of.ts'
import type { AskedQuestion, LabelledDialogue } from '#test/services/curiosity/score-gaps.ts'
import type { ReadStage } from './read-stage.ts'

const stepMs = 20_000

export async function playDialogue(
  stage: ReadStage,
  dialogue: LabelledDialogue,
  nth: number,
): Promise<readonly AskedQuestion[]> {
  const isGroup = dialogue.chat.kind === 'group'
  const conversation = `telegram:${isGroup ? '-' : ''}${1000 + nth}`
  const principals = new Map(dialogue.people.map((name, at) => [name, `telegram:${(1000 + nth) * 10 + at}`]))
  await remember(stage, dialogue, { conversation, principals, isGroup })
  const waiting: (() => Promise<void>)[] = []
  for (const [at, { who, asked, answer, begunAt }] of toTurns(dialogue).entries()) {
    const record = recordOf(asked, {
      answer,
      principal: principals.get(who) ?? 'telegram:0',
      name: who,
      session: `s${nth}`,
      language: dialogue.language,
      begunAt: begunAt + at * stepMs,
      endedAt: begunAt + at * stepMs + 1000,
      ...(isGroup ? { group: true as const } : {}),
    })
    const later = await stage.end(conversation, record)
    if (later) waiting.push(later)
  }
  for (const read of waiting) await read()
  const collected = await Promise.all(
    [...principals].map(async ([to, principal]) =>
      (await stage.waiting(principal)).map(({ text, asks }) => ({ ask: text, to, kind: asks?.kind ?? '' })),
    ),
  )
  return collected.flat()
}

type Played = { readonly who: string; readonly asked: string; readonly answer: string; readonly begunAt: number }

function toTurns({ turns }: LabelledDialogue): readonly Played[] {
  const played: { who: string; asked: string; answers: string[] }[] = []
  for (const { who, text } of turns)
    if (who === 'bot') played.at(-1)?.answers.push(text)
    else played.push({ who, asked: text, answers: [] })
  const begunAt = Date.parse(turns[0]?.at ?? '')
  // Most people are answered by a thumb.
  return played.map(({ answers, ...said }) => ({
    ...said,
    begunAt,
    answer: answers.length > 0 ? answers.join(' ') : '👍',
  }))
}

type Place = {
  readonly conversation: string
  readonly principals: ReadonlyMap<string, string>
  readonly isGroup: boolean
}

async function remember(
  { fleet }: ReadStage,
  { memory }: LabelledDialogue,
  { conversation, principals, isGroup }: Place,
): Promise<void> {
  for (const [at, { category, who, content, status }] of memory.entries()) {
    const speaker = principals.get(who) ?? 'telegram:0'
    const kinds: Readonly<Record<string, MemoryRecord['kind']>> = {
      preference: 'preference',
      decision: 'decision',
      constraint: 'constraint',
    }
    await fleet.runtime.memory.write(isGroup ? ofChat(conversation) : ofPerson(speaker), {
      id: `said:${conversation}-${at}`,
      kind: kinds[category] ?? 'fact',
      speaker,
      name: who,
      text: content,
      status,
      origin: 'said',
      saidAt: Date.now(),
      from: [],
    })
  }
}
