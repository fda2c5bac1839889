// Gives each function of a feature a name among what is under way (`underway.ts`). It changes nothing of what the feature does.
import type { Feature, LetterRule, QuestionRule, TimerRule } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { Underway } from './underway.ts'

export function watchFeature(feature: Feature, { during }: Pick<Underway, 'during'>): Feature {
  const watch =
    <A extends readonly unknown[], R>(what: string, work: (...given: A) => R): ((...given: A) => R) =>
    (...given) =>
      during(`${what} of ${feature.name}`, () => work(...given))
  const { commands, tools, context, questions, timers, letters } = feature
  const { prefers, edited, under, ended, slice, after } = feature
  return {
    ...feature,
    ...(commands
      ? { commands: commands.map((one) => ({ ...one, run: watch(`command ${one.name}`, one.run.bind(one)) })) }
      : {}),
    ...(tools ? { tools: watchTools(tools, watch) } : {}),
    ...(context
      ? { context: context.map((one) => ({ ...one, give: watch(`context ${one.name}`, one.give.bind(one)) })) }
      : {}),
    ...(questions ? { questions: mapRules(questions, (own, rule) => watchQuestion(own, rule, watch)) } : {}),
    ...(timers
      ? {
          timers: mapRules(timers, (own, rule): TimerRule => ({
            ...rule,
            due: watch(`timer ${own}`, rule.due.bind(rule)),
          })),
        }
      : {}),
    ...(letters
      ? {
          letters: mapRules(letters, (own, rule): LetterRule => ({
            ...rule,
            came: watch(`letter ${own}`, rule.came.bind(rule)),
          })),
        }
      : {}),
    ...(prefers ? { prefers: watch('prefers', prefers) } : {}),
    ...(edited ? { edited: watch('edited', edited) } : {}),
    ...(under ? { under: watch('under', under) } : {}),
    ...(ended ? { ended: watch('ended', ended) } : {}),
    ...(after
      ? { after: after.map((one) => ({ ...one, take: watch(`projection ${one.name}`, one.take.bind(one)) })) }
      : {}),
    ...(slice ? { slice: { ...slice, fold: watch('slice', slice.fold.bind(slice)) } } : {}),
  }
}

/** Of the same list the same, so that it is known as unchanged. */
function watchTools(tools: NonNullable<Feature['tools']>, watch: Watch): NonNullable<Feature['tools']> {
  const watchAll = (list: readonly Tool[]): readonly Tool[] =>
    list.map((one) => ({ ...one, run: watch(`tool ${one.name}`, one.run.bind(one)) }))
  if (typeof tools !== 'function') return watchAll(tools)
  const ask = watch('tools', tools)
  let known: { readonly list: readonly Tool[]; readonly watched: readonly Tool[] } | undefined
  return () => {
    const list = ask()
    if (!list) return undefined
    if (known?.list !== list) known = { list, watched: watchAll(list) }
    return known.watched
  }
}

type Watch = <A extends readonly unknown[], R>(what: string, work: (...given: A) => R) => (...given: A) => R

function watchQuestion(own: string, rule: QuestionRule, watch: Watch): QuestionRule {
  const { expired } = rule
  return {
    ...rule,
    answer: watch(`answer ${own}`, rule.answer.bind(rule)),
    ...(expired ? { expired: watch(`expired ${own}`, expired.bind(rule)) } : {}),
  }
}

const mapRules = <R>(rules: Readonly<Record<string, R>>, change: (own: string, rule: R) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(rules).map(([own, rule]) => [own, change(own, rule)]))
