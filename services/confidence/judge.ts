// How sure an answer is: one of three, by plain rules, as infra/decisions/036 says; no model is asked. The verdicts are tried in their order,
// the first that fits holds. When wording and tools disagree, the tools win, so theirs come first.
import { toMatter, type Judged, type Matter } from './matter.ts'
import { promises, talk } from './talk.ts'
import { verdict, type Judgement, type Verdict } from './verdict.ts'

/** Never throws; the time that it takes has a limit, however long the texts are. */
export function judge(judged: Judged): Judgement {
  const matter = toMatter(judged)
  const { confidence, rule, reason } = verdicts.find(({ fits }) => fits(matter)) ?? plain
  return { confidence, rule, reason }
}

const plain = verdict('high', 'plain', 'It says plainly what can be known.', () => true)

const isHedged = ({ says }: Matter): boolean => says('hedges', 'unsure')
const isOpen = (matter: Matter): boolean => isHedged(matter) || matter.says('varies', 'rough', 'usual')
const worked = ({ outcome }: Matter): boolean => outcome === 'worked' || outcome === 'mended'
const isWork = ({ asks }: Matter): boolean => asks('making') && !asks('advice', 'own', 'live')
/** Asks for something else than how the world is. */
const isStill = ({ asks }: Matter): boolean => asks('concept', 'making', 'wording', 'technical', 'sum')
/** Wants to know something, rather than to have something done. */
const isQuestion = ({ asks }: Matter): boolean =>
  asks('status', 'concept', 'advice', 'method', 'cause', 'making', 'technical', 'wording', 'person')
/** Neither asks nor orders: it tells of a case. */
const isRemark = (matter: Matter): boolean => !isQuestion(matter) && !matter.asks('act', 'lookup', 'sum', 'live', 'now')
/** What is over changes no more. */
const isPast = (matter: Matter): boolean => matter.asks('past') && !matter.asks('current')
const isLive = (matter: Matter): boolean =>
  (matter.asks('live') && !matter.asks('concept') && !isPast(matter)) ||
  (matter.asks('now') && matter.asks('status') && !matter.asks('advice', 'method', 'cause') && !isStill(matter))
/** Asked for, or told in passing, and nothing of it is over or made up. */
const isCurrent = (matter: Matter): boolean =>
  !matter.asks('making', 'past', 'concept', 'wording', 'sum', 'plays') &&
  !matter.showsCode &&
  (matter.asks('current') || matter.says('current'))
const isFuture = (matter: Matter): boolean =>
  matter.asks('future') || (matter.asks('ahead') && !matter.asks('advice', 'method', 'making', 'concept', 'live'))
/** One fact of somebody's life, which only they or a tool can tell. */
const isPrivate = (matter: Matter): boolean =>
  matter.asks('own', 'mind') ||
  (matter.asks('person') &&
    matter.asks('status') &&
    !matter.asks('advice', 'method', 'cause', 'permits') &&
    !isStill(matter))

/** Some tool failed, and nothing made it good. */
const failedTools: readonly Verdict[] = [
  verdict(
    'high',
    'failed.confirmed',
    'A tool failed, but the person had confirmed what it says.',
    (matter) => matter.outcome === 'failed' && matter.confirmed === 'same' && !isHedged(matter),
  ),
  verdict(
    'medium',
    'failed.told-with-usual',
    'The tool failed, which is said, and usual values are given instead.',
    ({ outcome, says }) => outcome === 'failed' && says('failed', 'cannot') && says('rough', 'usual', 'varies'),
  ),
  verdict(
    'low',
    'failed.told',
    'The tool failed, which is said, and nothing stands in its place.',
    ({ outcome, says }) => outcome === 'failed' && says('failed', 'cannot'),
  ),
  verdict(
    'low',
    'failed.glossed-over',
    'Its only source failed, and it does not say so.',
    ({ outcome }) => outcome === 'failed',
  ),
  verdict(
    'medium',
    'partly.told',
    'A part of it failed, which is said.',
    ({ outcome, says }) => outcome === 'partly' && says('failed', 'cannot'),
  ),
  verdict(
    'low',
    'partly.glossed-over',
    'A tool that it needs failed, and it does not say so.',
    ({ outcome }) => outcome === 'partly',
  ),
]

/** What no tool and no wording changes. */
const refusal = verdict(
  'high',
  'refusal',
  'It declines on principle.',
  ({ says, outcome }) => says('refuses') && outcome === 'none',
)

/** Before what the tools say. */
const unclear: readonly Verdict[] = [
  verdict(
    'low',
    'asks-back',
    'It asks for what is missing.',
    (matter) => matter.asksBack && (!isWork(matter) || matter.says('missing')),
  ),
  verdict('low', 'guesses-intent', 'It guesses what was meant.', ({ says }) => says('means')),
]

/** The tools that it needed worked. */
const workedTools: readonly Verdict[] = [
  verdict(
    'low',
    'worked.other',
    'It claims an act for which no tool was used.',
    (matter) => worked(matter) && !matter.acted && matter.asks('act') && matter.says('done') && !isWork(matter),
  ),
  verdict(
    'low',
    'worked.nothing',
    'The tools worked and brought nothing reliable.',
    (matter) => worked(matter) && matter.says('nothing', 'cannot') && !matter.says('rough', 'usual'),
  ),
  verdict(
    'medium',
    'worked.disagree',
    'The sources do not agree.',
    (matter) => worked(matter) && matter.says('disagree', 'nothing'),
  ),
  verdict(
    'medium',
    'worked.future',
    'It tells what others expect.',
    (matter) => worked(matter) && isFuture(matter) && (isOpen(matter) || matter.says('source')),
  ),
  verdict('low', 'worked.fortune', 'No tool knows the future.', (matter) => worked(matter) && matter.asks('future')),
  verdict(
    'medium',
    'worked.hedged',
    'The tools worked, and it leaves room for doubt.',
    (matter) => worked(matter) && isHedged(matter) && !isWork(matter),
  ),
  verdict(
    'medium',
    'worked.options',
    'The tools worked, and there are several ways to choose from.',
    (matter) =>
      worked(matter) &&
      (matter.asks('advice') || (matter.asks('amount', 'cause') && matter.says('varies', 'advises', 'rough'))),
  ),
  verdict('high', 'worked.result', 'It gives what a tool delivered.', worked),
]

/** Nothing was looked up: what may be known without. */
const withoutTools: readonly Verdict[] = [
  verdict(
    'low',
    'claims-act',
    'It claims an act, and no tool was used.',
    (matter) => matter.says('done') && !isWork(matter) && (matter.asks('act') || !isQuestion(matter)),
  ),
  verdict(
    'low',
    'claims-look-up',
    'It claims to have looked something up, and no tool was used.',
    ({ says, asks, confirmed }) => says('looked') && confirmed !== 'same' && !asks('making'),
  ),
  verdict(
    'low',
    'confirmed.other',
    'The person had told something else.',
    ({ confirmed, says }) => confirmed === 'other' && !says('cannot', 'rough'),
  ),
  verdict(
    'high',
    'confirmed',
    'It repeats what the person has told.',
    (matter) => (matter.confirmed === 'same' || matter.says('told')) && !isHedged(matter) && !matter.says('cannot'),
  ),
  verdict(
    'medium',
    'confirmed.hedged',
    'It repeats what the person has told, with doubt.',
    ({ confirmed, says }) => confirmed === 'same' && !says('cannot'),
  ),
  verdict(
    'high',
    'work',
    'It gives the text or the code that was asked for.',
    (matter) => isWork(matter) && !matter.says('cannot', 'unsure'),
  ),
  verdict(
    'high',
    'words',
    'It is about words or chances, where doubt is the matter itself.',
    ({ asks, says }) =>
      asks('wording') && !asks('advice', 'own', 'mind', 'cause') && !says('varies', 'cannot', 'unsure'),
  ),
  verdict(
    'medium',
    'cannot.with-usual',
    'It cannot know, says so, and gives what usually holds.',
    (matter) => matter.says('cannot') && !isFuture(matter) && (matter.says('rough', 'usual') || matter.isLong),
  ),
  verdict('low', 'cannot', 'It cannot know what was asked for.', ({ says }) => says('cannot')),
  verdict('low', 'unsure', 'It says that it is not sure.', ({ says }) => says('unsure')),
  verdict(
    'medium',
    'future.weighed',
    'It weighs what may come.',
    (matter) => isFuture(matter) && matter.says('varies') && matter.says('source', 'rough', 'usual', 'hedges'),
  ),
  verdict('low', 'future', 'Nobody can know what will come.', isFuture),
  verdict(
    'medium',
    'own.weighed',
    'It weighs somebody’s own affairs without knowing them.',
    (matter) => isPrivate(matter) && (matter.says('varies', 'advises') || (isHedged(matter) && !matter.asks('own'))),
  ),
  verdict('low', 'own', 'It tells of somebody’s own affairs, and nothing told it.', isPrivate),
  verdict(
    'medium',
    'live.usual',
    'It tells what usually holds of something that changes.',
    (matter) => isLive(matter) && matter.says('rough', 'usual', 'varies'),
  ),
  verdict('low', 'live', 'It tells of something that changes, and nothing was looked up.', isLive),
  verdict('medium', 'current', 'It tells what holds for now, and nothing was looked up.', isCurrent),
  verdict(
    'low',
    'lookup',
    'It was to look something up, and no tool was used.',
    (matter) => matter.asks('lookup') && !isStill(matter) && !isOpen(matter) && !matter.showsCode,
  ),
  verdict(
    'high',
    'cause.shown',
    'It explains code or an error that was shown.',
    (matter) => matter.asks('cause') && matter.showsCode && !isOpen(matter),
  ),
  verdict('medium', 'cause', 'It infers a cause that nobody confirmed.', ({ asks }) => asks('cause')),
  verdict('medium', 'advice', 'It advises or gives an opinion.', ({ asks }) => asks('advice')),
  verdict(
    'medium',
    'amount',
    'It estimates what differs from case to case.',
    (matter) => matter.asks('amount') && (isOpen(matter) || matter.says('advises')),
  ),
  verdict(
    'medium',
    'permits',
    'It allows or warns in general.',
    (matter) => matter.asks('permits') && (isOpen(matter) || matter.says('advises')),
  ),
  verdict(
    'medium',
    'case',
    'It explains somebody’s own case, or advises on it.',
    (matter) =>
      !isStill(matter) &&
      ((matter.asks('person') && matter.saysMuch) ||
        ((matter.asks('person') || isRemark(matter)) && matter.says('advises', 'causes'))),
  ),
  verdict('medium', 'varies', 'It depends on the case.', ({ says }) => says('varies')),
  verdict('medium', 'hedged', 'It is said as an inference.', ({ says }) => says('hedges')),
  verdict(
    'medium',
    'method',
    'It is general advice on how to do something.',
    ({ asks, says }) => asks('method') && !asks('technical', 'concept') && !says('exact'),
  ),
  verdict(
    'medium',
    'usual',
    'It tells what usually holds.',
    ({ asks, says }) => says('usual') && !asks('concept', 'technical'),
  ),
]

export const verdicts: readonly Verdict[] = [
  refusal,
  ...promises,
  ...talk,
  ...unclear,
  ...failedTools,
  ...workedTools,
  ...withoutTools,
]
