// Technology stays at the edge: packages only in infra, adapters and queues (zod anywhere), BullMQ and Lua only in
// queues, no I/O in services and shared, and one place for what a hostile text can make slow.
import { isCode, parseImports, topFolder } from './source-file.ts'
import type { Rule, SourceFile } from './source-file.ts'

const edge = new Set(['infra', 'adapters', 'queues', 'test'])
const anywhere = new Set(['zod'])
const thought = new Set(['services', 'shared'])
/** Modules of Node that touch nothing outside the process. */
const pureModules = new Set([
  'node:crypto',
  'node:util',
  'node:path',
  'node:assert',
  'node:url',
  'node:buffer',
  'node:events',
  'node:string_decoder',
  'node:zlib',
])

export const vendorRule: Rule = (files) =>
  packageImports(files).flatMap(({ file, name }) => {
    if (/^(?:adapters\/web|services\/[^/]+)\/page\//.test(file.path))
      return [`${file.path} imports ${name}: a page in the browser has no packages`]
    return edge.has(topFolder(file)) || anywhere.has(name)
      ? []
      : [`${file.path} imports ${name}: packages belong in infra, adapters and queues`]
  })

export const bullRule: Rule = (files) =>
  packageImports(files).flatMap(({ file, name }) =>
    name === 'bullmq' && !['queues', 'test'].includes(topFolder(file))
      ? [`${file.path} imports bullmq: only queues knows it`]
      : [],
  )

export const luaRule: Rule = (files) =>
  files.flatMap((file) => {
    if (['queues', 'test'].includes(topFolder(file)) || file.path.endsWith('.md')) return []
    if (file.path.endsWith('.lua')) return [`${file.path}: Lua belongs in queues`]
    const runsLua = isCode(file) && /redis\.call\(|\.(eval|evalsha|defineCommand)\(/.test(file.text)
    return runsLua ? [`${file.path} runs Lua: only queues does`] : []
  })

export const pureRule: Rule = (files) =>
  files
    .filter((file) => isCode(file) && thought.has(topFolder(file)))
    .flatMap((file) => {
      const breaches = parseImports(file.text).filter((name) => name.startsWith('node:') && !pureModules.has(name))
      const found = breaches.map((name) => `${file.path} imports ${name}: ${topFolder(file)} does no I/O`)
      return /\bprocess\.env\b/.test(file.text)
        ? [...found, `${file.path} reads process.env: settings are passed in`]
        : found
    })

/** Bringing a long row of accents into a normal form takes the square of its length. */
export const normaliseRule: Rule = (files) =>
  files
    .filter(
      (file) => isCode(file) && !['shared/chat/normal-form.ts', 'test'].some((free) => file.path.startsWith(free)),
    )
    .flatMap((file) =>
      /\.normalize\b/.test(file.text)
        ? [`${file.path} normalises a text: use toNormalForm of shared/chat/normal-form.ts`]
        : [],
    )

/** Packages by name, `@scope/name` as one; built-in modules left out. */
function packageImports(files: readonly SourceFile[]): { file: SourceFile; name: string }[] {
  return files.filter(isCode).flatMap((file) =>
    parseImports(file.text)
      .filter((specifier) => !/^(\.|#|node:)/.test(specifier))
      .map((specifier) => ({
        file,
        name: specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      })),
  )
}
