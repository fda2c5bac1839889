// infra → adapters → queues → services → shared: imports go to the right or stay in their folder.
import { isCode, layers, parseImports, resolveImport, topFolder } from './source-file.ts'
import type { Rule } from './source-file.ts'

/** What all adapters may use: calls and their troubles, payloads, the delivery of rows, the Markdown tree, and presses. Nothing else is shared. */
const sharedSiblings = new Set([
  'adapters/calls',
  'adapters/delivery',
  'adapters/events',
  'adapters/markup',
  'adapters/press',
])
/** Their sub-folders are separate modules that must not know each other. */
const separated = new Set(['services', 'adapters'])

export const layerRule: Rule = (files) =>
  files.filter(isCode).flatMap((file) =>
    parseImports(file.text).flatMap((specifier) => {
      const target = resolveImport(file, specifier)
      if (target === undefined || topFolder(file) === 'test') return []
      const reason = explainBreach(file.path, target)
      return reason === undefined ? [] : [`${file.path} imports ${target}: ${reason}`]
    }),
  )

function explainBreach(from: string, to: string): string | undefined {
  const [own = '', ownModule = ''] = from.split('/')
  const [other = '', otherModule = ''] = to.split('/')
  if (other === 'test') return 'only tests import from test/'
  const ownRank = layers.findIndex((layer) => layer === own)
  const otherRank = layers.findIndex((layer) => layer === other)
  if (ownRank < 0) return undefined
  if (otherRank < 0) return `${other || 'the root'} is not a layer`
  if (own !== other && own === 'infra') return undefined
  if (otherRank < ownRank) return `${own} must not import ${other}`
  const sibling = own === other && separated.has(own) && ownModule !== otherModule
  if (sibling && !sharedSiblings.has(`${other}/${otherModule}`)) return `modules of ${own} do not import each other`
  return undefined
}

/** Other folders by `#folder/…`, the same folder by `./`, and always with the extension. */
export const importFormRule: Rule = (files) =>
  files.filter(isCode).flatMap((file) =>
    parseImports(file.text).flatMap((specifier) => {
      if (specifier.startsWith('..'))
        return [`${file.path} imports "${specifier}": write #folder/… instead of climbing up`]
      if (specifier.startsWith('./') && specifier.slice(2).includes('/'))
        return [`${file.path} imports "${specifier}": ./ is for the same folder only`]
      const own = specifier.startsWith('.') || specifier.startsWith('#')
      return own && !/\.(ts|js|json)$/.test(specifier)
        ? [`${file.path} imports "${specifier}" without its extension`]
        : []
    }),
  )
