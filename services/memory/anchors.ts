// Anchors as part of the feature: their command, their cards, and what finds them.
import type { CommandInfo, Feature } from '#shared/feature/feature.ts'
import { answerProposed } from './anchor-card.ts'
import { anchor, listsAnchors } from './anchor-command.ts'
import { answerFound, askFound } from './anchor-found.ts'
import { createAnchorNotice } from './anchor-notice.ts'
import { answerAnchored } from './anchor-written.ts'
import type { FindDeps } from './find-kept.ts'
import type { NoticeDeps } from './notice.ts'

export const anchorCommand: CommandInfo = {
  name: 'anchor',
  help: {
    zh: '定下来的事：/anchor D 数据库：我们用 Postgres',
    en: 'what is settled: /anchor D database: we use Postgres',
  },
  more: {
    zh: '`/anchor`（或 `/锚点`）列出定下来的：决定、约束、做法、指标。`/anchor D 数据库：我们用 Postgres；原因：两个人会；到期：2027-03-01；标签：后端` 定下一件，D 是决定，C 是约束，P 是做法，M 是指标。冒号前面是题目，同一题目新的取代旧的。过了到期那天，它还列着，但不再给我用。群里由主人和管理员点按确认。',
    en: '`/anchor` lists what is settled: decisions, constraints, patterns and metrics. `/anchor D database: we use Postgres; why: two of us know it; until: 2027-03-01; tags: backend` settles one: D is a decision, C a constraint, P a pattern and M a metric. Before the colon stands its topic, and of one topic the newer one takes the place of the older one. After the last day it stays in the list, and I use it no more. In a group owners and admins confirm it with a tap.',
  },
}

export const createAnchors = (deps: FindDeps & NoticeDeps) =>
  ({
    command: { ...anchorCommand, readsOnly: listsAnchors, run: (context) => anchor(deps, context) },
    questions: {
      anchored: { answer: (context) => answerAnchored(deps, context) },
      'anchor-proposed': { answer: (context) => answerProposed(deps, context) },
      'anchors-found': { answer: (context) => answerFound(deps, context) },
    },
    letters: { anchors: { came: (context) => askFound(deps, context) } },
    after: createAnchorNotice(deps),
  }) satisfies {
    readonly command: NonNullable<Feature['commands']>[number]
    readonly questions: NonNullable<Feature['questions']>
    readonly letters: NonNullable<Feature['letters']>
    readonly after: NonNullable<Feature['after']>[number]
  }
