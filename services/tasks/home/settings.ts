// When a task stops for people to look (seed 000 §4.4): whether it does so by itself, and after how many steps. An order that says so itself comes first.
import type { Setting } from '#shared/feature/setting.ts'
import type { Home, HomeChange } from './slice.ts'

const usualEvery = 3
const intervals = [1, 2, 3, 5, 10] as const

export const settings: readonly Setting<Home, HomeChange>[] = [
  {
    id: 'checkpoints',
    label: { zh: '任务检查点', en: 'Task checkpoints' },
    entry: { section: 'Checkpoints', key: 'defaultCheckpoints' },
    holds: ({ slice }) => (slice.checkpoints === false ? 'off' : 'on'),
    choices: [
      { id: 'on', label: { zh: '开', en: 'on' }, change: { checkpoints: true } },
      {
        id: 'off',
        label: { zh: '关', en: 'off' },
        meaning: {
          zh: '任务只在计划、模型或你的话要求时停下。',
          en: 'A task stops only where its plan, the model or your order says so.',
        },
        change: { checkpoints: false },
      },
    ],
  },
  {
    id: 'checkpoint_every',
    label: { zh: '检查点间隔（步）', en: 'Steps per checkpoint' },
    entry: { section: 'Checkpoints', key: 'checkpointInterval' },
    holds: ({ slice }) => String(slice.every ?? usualEvery),
    choices: intervals.map((every) => ({
      id: String(every),
      label: { zh: String(every), en: String(every) },
      change: { every },
    })),
  },
]

/** Steps between two looks where the order does not say; 0 for none. */
export const usualStops = ({ checkpoints, every }: Home): number => (checkpoints === false ? 0 : (every ?? usualEvery))
