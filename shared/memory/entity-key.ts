// When two names are one entity: case, width, spaces and marks around them do not count.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import type { EntityKey, GraphEntity } from './graph.ts'

export const toEntityKey = ({ name, principal }: Pick<GraphEntity, 'name' | 'principal'>): EntityKey =>
  principal === undefined ? toPlainName(name) : `@${principal}`

/** No plain name begins with `@`. */
export const toPlainName = (name: string): string =>
  toNormalForm(name, 'NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Z}\s]+/gu, ' ')
    .replaceAll(/^[\p{P}\p{Z}]+|[\p{P}\p{Z}]+$/gu, '')
