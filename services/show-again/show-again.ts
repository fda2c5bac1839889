// A press under the notice that messages may not have arrived shows them again. Delivery asks the question and keeps the messages in it.
import { z } from 'zod'
import type { Effect } from '#shared/feature/effect.ts'
import type { AnswerContext, Feature } from '#shared/feature/feature.ts'
import { outBody } from '#shared/run/out-row.ts'

export const showAgain: Feature = {
  name: 'show-again',
  questions: { show: { answer: show } },
}

async function show({ event }: AnswerContext): Promise<readonly Effect[]> {
  const shown = outBody.or(z.array(outBody)).safeParse(JSON.parse(event.payload))
  return (shown.success ? [shown.data].flat() : []).flatMap((body): Effect[] => {
    if (body.kind !== 'send') return []
    const { replaces: _, replacesMessage: __, ...again } = body
    return [{ kind: 'show', body: again }]
  })
}
