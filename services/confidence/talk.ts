// What the judge says of talk: of an answer that promises an act and makes none, and of words to people who asked for nothing that can be wrong.
import type { Matter } from './matter.ts'
import { verdict, type Verdict } from './verdict.ts'

/** Nothing was done that could be what the answer speaks of. */
const isIdle = ({ outcome, acted }: Matter): boolean =>
  outcome === 'none' || ((outcome === 'worked' || outcome === 'mended') && !acted)

const isText = ({ asks }: Matter): boolean => asks('making') && !asks('advice', 'own', 'live')

/** Told of themselves, or greeted. */
const isChat = (matter: Matter): boolean =>
  matter.asks('shares', 'greets') || (!asksForSomething(matter) && !matter.asks('bids') && !matter.says('advises'))

const isGame = ({ asks }: Matter): boolean =>
  asks('plays') && !asks('live', 'current', 'future', 'own', 'mind', 'cause')

/** What a question back can be about. */
const asksForSomething = ({ asks }: Matter): boolean =>
  asks('status', 'concept', 'advice', 'method', 'cause', 'making', 'technical', 'wording') ||
  asks('act', 'lookup', 'sum', 'live', 'now', 'own', 'mind', 'future', 'amount', 'permits', 'demands')

/** It claims nothing about the world, and no tool was to tell it. */
const isFree = ({ says, outcome }: Matter): boolean => outcome === 'none' && !says('cannot', 'failed', 'looked')

const speaksOfAct = ({ asks, says, asksBack }: Matter): boolean =>
  says('acts') || (says('later', 'wrought') && !asks('concept', 'past') && !asksBack)

/** Asked to do something, it speaks as if that were done. */
const isBidTaken = (matter: Matter): boolean =>
  matter.asks('bids') &&
  (matter.says('avows') || matter.says('affirms')) &&
  !matter.asks('shares', 'greets', 'plays', 'concept', 'wording', 'sum', 'making') &&
  !matter.says('exact', 'declines')

/** Before everything but a refusal: an act that nobody made is none, however kindly it is promised. */
export const promises: readonly Verdict[] = [
  verdict(
    'low',
    'promises-act',
    'It says that something was or will be done, and no tool did it.',
    (matter) => isIdle(matter) && !isText(matter) && speaksOfAct(matter) && !matter.says('cannot', 'failed'),
  ),
  verdict(
    'low',
    'affirms-order',
    'It agrees to an order, and no tool carried it out.',
    (matter) =>
      matter.outcome === 'none' &&
      ((matter.asks('orders') && matter.says('affirms')) || isBidTaken(matter)) &&
      !matter.isLong &&
      !matter.asksBack &&
      !matter.says('cannot', 'failed', 'refuses', 'told'),
  ),
]

/** Nothing was asked for that can be wrong. */
export const talk: readonly Verdict[] = [
  verdict(
    'high',
    'suggests',
    'It suggests something by a question.',
    (matter) => isFree(matter) && matter.asksBack && matter.says('suggests') && !matter.says('means'),
  ),
  verdict(
    'high',
    'game',
    'It plays a game, or keeps somebody company.',
    (matter) => isFree(matter) && (isGame(matter) || matter.says('referees')),
  ),
  verdict(
    'high',
    'chat',
    'It answers somebody who told of themselves or greeted.',
    (matter) =>
      isFree(matter) && isChat(matter) && !matter.says('means', 'causes') && (matter.asksBack || matter.says('kind')),
  ),
  verdict(
    'high',
    'itself',
    'It speaks of itself, since it was asked to.',
    (matter) => isFree(matter) && matter.asks('itself') && matter.says('oneself') && !matter.asks('act', 'live', 'own'),
  ),
  verdict(
    'high',
    'bygone',
    'It tells of the past, which no longer changes.',
    (matter) =>
      isFree(matter) &&
      matter.asks('past') &&
      !matter.asks('making', 'advice', 'own', 'cause', 'person', 'lookup', 'wording') &&
      !matter.says('unsure', 'varies', 'hedges', 'means', 'disagree'),
  ),
  verdict(
    'high',
    'asks-on',
    'It asks on where nothing was asked for.',
    (matter) => isFree(matter) && matter.asksBack && !matter.says('missing', 'means') && !asksForSomething(matter),
  ),
]
