// Which of the configured models answers in a chat: /model shows them, and an owner of the bot chooses. A choice is kept by the model's name, so
// that it holds whatever part that model has; where it is not configured any more the main one answers, and that is said once.
import { storable } from '#shared/feature/slice.ts'
import { ours, toOurs, type Ours } from '#shared/feature/kept.ts'
import { z } from 'zod'
import type { Localised } from '#shared/chat/message.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { EndedTurn, Feature } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'
import type { Setting } from '#shared/feature/setting.ts'
import type { ModelRole, NamedModel } from '#shared/model/model-port.ts'

type ModelsDeps = {
  /** The main one first. */
  readonly models: readonly NamedModel[]
}

/** Left out: the main model. */
const own = z.object({ model: ours.max(200).optional() })
type Own = z.infer<typeof own>
type Change = { readonly model: Ours | undefined }

const command: NonNullable<Setting['command']> = {
  name: 'model',
  help: { zh: '用哪个模型回答；主人可以选择', en: 'which model answers; owners choose' },
}

export const modelsCapability: Capability<{ readonly model: ModelsDeps }> = {
  settings: [{ command }],
  create: ({ model }) => createModels(model),
}

export function createModels({ models }: ModelsDeps): Feature<Own, Change> {
  return {
    name: 'models',
    slice: {
      schema: storable(own),
      fresh: {},
      fold: (_, { model }) => (model === undefined ? {} : { model }),
      atRest: (slice) => slice,
    },
    settings: [toSetting(models)],
    prefers: ({ model }) => ({ model }),
    ended: (turn) => sayGone(models, turn),
  }
}

/** A button with more could not be read. */
const mostLabelChars = 60

const parts: Readonly<Record<ModelRole, Localised>> = {
  main: { zh: '主模型', en: 'main' },
  fast: { zh: '快速', en: 'fast' },
  fallback: { zh: '后备', en: 'fallback' },
}

function toSetting(models: readonly NamedModel[]): Setting<Own, Change> {
  const list = (language: 'zh' | 'en'): string =>
    models.map(({ role, name }) => `${parts[role][language]} \`${name}\``).join(language === 'zh' ? '、' : ', ')
  const meaning = { zh: `已配置：${list('zh')}。`, en: `Configured: ${list('en')}.` }
  // One of them may have several parts.
  const choices = models.filter(({ name }, at) => models.findIndex((one) => one.name === name) === at)
  return {
    id: 'model',
    label: { zh: '模型', en: 'Model' },
    entry: { section: 'Routing', key: 'model' },
    onlyOwners: true,
    holds: ({ slice }) => choices.find(({ name }) => name === slice.model)?.role ?? 'main',
    choices: choices.map(({ role, name }) => {
      const label = name.length > mostLabelChars ? `${name.slice(0, mostLabelChars - 1)}…` : name
      return {
        id: role,
        label: { zh: label, en: label },
        meaning,
        change: { model: role === 'main' ? undefined : toOurs(name) },
      }
    }),
    command,
  }
}

function sayGone(models: readonly NamedModel[], { slice, language }: EndedTurn<Own>): readonly StepEffect<Change>[] {
  const { model } = slice
  if (model === undefined || models.some(({ name }) => name === model)) return []
  const main = models[0]?.name ?? ''
  return [
    { kind: 'change', change: { model: undefined } },
    ...say(
      language,
      `这里选的模型 \`${model}\` 已经不在配置里了，从现在起由 \`${main}\` 回答。`,
      `The model \`${model}\` that was chosen here is not configured any more; \`${main}\` answers from now on.`,
    ),
  ]
}
