// CONFIG.md, as seed 000 §4.4 writes it: sections of `key: value`, and behind a value what it means.
import { sections, type Section } from '#shared/feature/setting.ts'

export type Printed = {
  readonly section: Section
  readonly key: string
  readonly value: string
  /** One line, for people only: it is not read back. */
  readonly comment?: string
}

/** Sections without an entry are left out. */
export function printEntries(entries: readonly Printed[]): string {
  const parts = sections.flatMap((section) => {
    const lines = entries.filter((one) => one.section === section).map(toLine)
    return lines.length === 0 ? [] : [['', `## ${section}`, ...lines].join('\n')]
  })
  return ['# CONFIG', '> 用户配置 - 偏好设置和路由规则', ...parts].join('\n')
}

const toLine = ({ key, value, comment }: Printed): string =>
  `${key}: ${value}${comment === undefined ? '' : `  # ${comment}`}`
