// Whose words are kept the executor alone says, and it alone takes apart what was made of them (infra/decisions/059): a feature that could do
// either would forget it one day.
import { isCode } from './source-file.ts'
import type { Rule } from './source-file.ts'

const makers = /\b(keeper|readRetold)\b/g
const mayUse = ['services/executor/', 'test/', 'shared/feature/kept.ts']

export const keptRule: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !mayUse.some((place) => file.path.startsWith(place)))
    .flatMap((file) => {
      const names = new Set([...file.text.matchAll(makers)].map(([name]) => name))
      return [...names].map((name) => `${file.path}: "${name}" is the executor's; a feature has keep and retell`)
    })
