// CONFIG.md, as seed 000 §4.4 writes it: sections of `key: value`, and behind a value what it means.
import type { Language, Localised } from '#shared/chat/message.ts'
import { sections, type Section } from '#shared/feature/setting.ts'

export type Printed = {
  readonly section: Section
  readonly key: string
  readonly value: string
  /** One line, for people only: it is not read back. */
  readonly comment?: string
}

const about: Localised = {
  zh: '> 用户配置 - 偏好设置和路由规则',
  en: '> Settings - what this chat prefers',
}

/** Sections without an entry are left out. */
export function printEntries(entries: readonly Printed[], language: Language): string {
  const parts = sections.flatMap((section) => {
    const lines = entries.filter((one) => one.section === section).map(toLine)
    return lines.length === 0 ? [] : [['', `## ${section}`, ...lines].join('\n')]
  })
  return ['# CONFIG', about[language], ...parts].join('\n')
}

const toLine = ({ key, value, comment }: Printed): string =>
  `${key}: ${value}${comment === undefined ? '' : `  # ${comment}`}`
